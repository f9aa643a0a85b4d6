# The Debian packages, made by CPack. One has all that runs, so that `apt install` of one file gives
# a working program, library, model and Python package; what only compiling needs is the other.

if(NOT BUILD_SHARED_LIBS)
  message(FATAL_ERROR "The packages have a shared library: set BUILD_SHARED_LIBS, as the preset deb does")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME memmatch)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)  # most of it is weights, which xz hardly makes smaller
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Who builds the packages answers for them, as Debian's own tools have it.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "memmatch <memmatch@localhost>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME memmatch)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "For a claim it finds evidence in three levels, says whether the evidence
supports or refutes it, and how far to trust that. The package has the
program, the library, a model that is ready to use, and documentation.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/deb/triggers)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
set(recommends poppler-utils)  # reads PDF
if(TARGET memmatch_python)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  string(APPEND recommends ", python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}~)")
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
  string(APPEND recommends ", python3 (<< ${Python_VERSION_MAJOR}.${next_python}~), python3-numpy")
endif()
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "${recommends}")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmemmatch-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "memmatch (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "What a program that uses the memmatch library is compiled with: headers, and
files for CMake and pkg-config.")

# What Debian asks of every package. The date is that of the last change.
execute_process(COMMAND git log -1 --format=%cD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT date)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
configure_file(cmake/deb/changelog.in changelog @ONLY)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/changelog.gz
  COMMAND gzip -9nc ${PROJECT_BINARY_DIR}/changelog > ${PROJECT_BINARY_DIR}/changelog.gz
  DEPENDS ${PROJECT_BINARY_DIR}/changelog
  VERBATIM)
add_custom_target(memmatch_changelog ALL DEPENDS ${PROJECT_BINARY_DIR}/changelog.gz)
foreach(package_of_component memmatch:runtime libmemmatch-dev:development)
  string(REPLACE ":" ";" names ${package_of_component})
  list(GET names 0 package)
  list(GET names 1 component)
  install(FILES cmake/deb/copyright ${PROJECT_BINARY_DIR}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()

include(CPack)
