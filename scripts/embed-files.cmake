# Writes a C++ source that holds files: cmake -DOUT=x.cpp -DFILES="name=path;…" -P embed-files.cmake

set(arrays "")
set(table "")
set(number 0)
foreach(entry IN LISTS FILES)
  string(FIND "${entry}" "=" at)
  string(SUBSTRING "${entry}" 0 ${at} name)
  math(EXPR at "${at} + 1")
  string(SUBSTRING "${entry}" ${at} -1 path)
  file(READ "${path}" hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", {reinterpret_cast<const char*>(kFile${number}), sizeof kFile${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUT}.new" "// Made by scripts/embed-files.cmake.
#include \"serve/embedded.h\"

namespace memmatch::serve {
namespace {

${arrays}
const EmbeddedFile kFiles[] = {
${table}};

}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }

}  // namespace memmatch::serve
")
file(RENAME "${OUT}.new" "${OUT}")
