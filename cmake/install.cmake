# What goes where. Components: `runtime` is what the program needs, `development` what somebody who
# links the library needs.

include(CMakePackageConfigHelpers)
set(data_dir ${CMAKE_INSTALL_DATADIR}/memmatch)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/memmatch)

# --- The library ---

install(TARGETS memmatch EXPORT memmatch-targets
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development)
install(DIRECTORY include/memmatch ${PROJECT_BINARY_DIR}/include/memmatch
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
install(EXPORT memmatch-targets NAMESPACE memmatch:: DESTINATION ${config_dir} COMPONENT development)

configure_package_config_file(cmake/memmatch-config.cmake.in memmatch-config.cmake
  INSTALL_DESTINATION ${config_dir})
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
endif()
write_basic_package_version_file(memmatch-config-version.cmake COMPATIBILITY ${compatibility})
install(FILES
    ${PROJECT_BINARY_DIR}/memmatch-config.cmake ${PROJECT_BINARY_DIR}/memmatch-config-version.cmake
  DESTINATION ${config_dir} COMPONENT development)

# Relative, so that an installed folder can be moved.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
if(NOT BUILD_SHARED_LIBS)
  set(pc_requires "icu-uc icu-i18n sqlite3 simdjson fmt")
  set(pc_libs "-lboost_iostreams -ldnnl ${OpenMP_CXX_FLAGS}")
  if(LibXml2_FOUND)
    string(APPEND pc_requires " libxml-2.0")
  endif()
  if(LibXml2_FOUND AND MD4C_LIBRARY)
    string(APPEND pc_requires " md4c-html")
  endif()
  if(LibXml2_FOUND AND ZIP_LIBRARY)
    string(APPEND pc_requires " libzip")
  endif()
endif()
configure_file(cmake/memmatch.pc.in memmatch.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/memmatch.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# --- The program and what it finds beside it ---

install(DIRECTORY models/default DESTINATION ${data_dir}/models COMPONENT runtime)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY examples/demo DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT runtime
  FILES_MATCHING PATTERN "*.md" PATTERN "*.jsonl")

set(programs)
if(MEMMATCH_CLI)
  list(APPEND programs memmatch_program)
  set(MEMMATCH_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
    "Where zsh looks for completions")
  install(FILES ${PROJECT_BINARY_DIR}/memmatch.1.gz
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES ${PROJECT_BINARY_DIR}/memmatch.bash RENAME memmatch
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT runtime)
  install(FILES ${PROJECT_BINARY_DIR}/memmatch.zsh RENAME _memmatch
    DESTINATION ${MEMMATCH_ZSH_DIR} COMPONENT runtime)
endif()
if(MEMMATCH_TRAIN)
  list(APPEND programs memmatch_train_program)
endif()
foreach(program IN LISTS programs)
  # A shared library that is not where the system looks is found from the program's folder.
  if(BUILD_SHARED_LIBS AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set_target_properties(${program} PROPERTIES
      INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  endif()
  install(TARGETS ${program} RUNTIME COMPONENT runtime OPTIONAL)
endforeach()

if(TARGET memmatch_python)
  set(MEMMATCH_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where Python looks for packages")
  if(BUILD_SHARED_LIBS AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    file(RELATIVE_PATH python_to_library
      /${MEMMATCH_PYTHON_DIR}/memmatch /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(memmatch_python PROPERTIES INSTALL_RPATH "$ORIGIN/${python_to_library}")
  endif()
  install(TARGETS memmatch_python LIBRARY DESTINATION ${MEMMATCH_PYTHON_DIR}/memmatch
    COMPONENT runtime OPTIONAL)
  install(DIRECTORY python/memmatch DESTINATION ${MEMMATCH_PYTHON_DIR} COMPONENT runtime
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed"
    PATTERN "__pycache__" EXCLUDE)
endif()
