# How this project compiles itself. Nothing of it reaches one that links the library.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
# Keeps assertions: the tests are built with this type.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

# GCC 12 sees overlapping copies in std::string where there are none (its bug 105651).
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast)
if(MEMMATCH_WERROR)
  add_compile_options(-Werror)
endif()
if(MEMMATCH_SANITIZE)
  add_compile_options(-fsanitize=${MEMMATCH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MEMMATCH_SANITIZE})
endif()
