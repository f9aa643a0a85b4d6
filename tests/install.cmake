# The installed program and library, used as somebody else would.

set(installed ${PROJECT_BINARY_DIR}/installed)
set(consumer ${CMAKE_CURRENT_SOURCE_DIR}/consumer)
set(consumers ${PROJECT_BINARY_DIR}/consumers)
set(model ${PROJECT_SOURCE_DIR}/models/default)
set(verdict "REFUTES: Ada Lovelace was born in Paris")

add_test(NAME install.install
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${installed})
set_tests_properties(install.install PROPERTIES FIXTURES_SETUP installed)

add_test(NAME install.find_package COMMAND ${CMAKE_CTEST_COMMAND}
  --build-and-test ${consumer} ${consumers}/find_package
  --build-generator ${CMAKE_GENERATOR}
  --build-options -DCMAKE_PREFIX_PATH=${installed} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  --test-command consumer ${model} facts.db)
set_tests_properties(install.find_package PROPERTIES
  FIXTURES_REQUIRED installed PASS_REGULAR_EXPRESSION ${verdict})

add_test(NAME install.pkg_config.compile COMMAND ${consumer}/with-pkg-config
  ${CMAKE_CXX_COMPILER} ${installed}/${CMAKE_INSTALL_LIBDIR}/pkgconfig ${consumers}/pkg_config)
set_tests_properties(install.pkg_config.compile PROPERTIES
  FIXTURES_REQUIRED installed FIXTURES_SETUP consumer_by_pkg_config)
add_test(NAME install.pkg_config COMMAND ${consumers}/pkg_config/consumer ${model}
  ${consumers}/pkg_config/facts.db)
set_tests_properties(install.pkg_config PROPERTIES
  ENVIRONMENT LD_LIBRARY_PATH=${installed}/${CMAKE_INSTALL_LIBDIR}
  FIXTURES_REQUIRED consumer_by_pkg_config PASS_REGULAR_EXPRESSION ${verdict})

# Compiling the library once more would take longer than all other tests.
add_test(NAME install.add_subdirectory COMMAND ${CMAKE_COMMAND}
  -S ${consumer} -B ${consumers}/add_subdirectory -G ${CMAKE_GENERATOR}
  -DMEMMATCH_SOURCE=${PROJECT_SOURCE_DIR} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER})

add_test(NAME install.program_finds_its_model COMMAND ${CMAKE_COMMAND} -E env
  --unset=MEMMATCH_MODEL ${installed}/bin/memmatch verify "Ada Lovelace was born in Paris."
  --evidence "Ada Lovelace was born in London.")
set_tests_properties(install.program_finds_its_model PROPERTIES
  FIXTURES_REQUIRED installed PASS_REGULAR_EXPRESSION "REFUTES  Ada Lovelace")

add_test(NAME install.documented_program_is_the_consumer
  COMMAND ${consumer}/same-as-documented ${PROJECT_SOURCE_DIR}/docs/library.md)
