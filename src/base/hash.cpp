#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "base/input_file.h"
#include "memmatch/error.h"

namespace memmatch {
namespace {

ContentHash canonical(XXH128_hash_t value) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, value);
  ContentHash hash;
  std::copy_n(bytes.digest, hash.size(), hash.begin());
  return hash;
}

}  // namespace

ContentHash content_hash(std::string_view text) {
  return canonical(XXH3_128bits(text.data(), text.size()));
}

ContentHash content_hash_of_file(const std::filesystem::path& file) {
  if (file == "-") {
    throw Error(ErrorKind::invalid_argument,
                "this input is read more than once: give a file, not standard input");
  }
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  InputFile input(file);
  std::vector<char> some(std::size_t{1} << 16);
  while (const std::size_t n = input.read(some)) XXH3_128bits_update(state.get(), some.data(), n);
  return canonical(XXH3_128bits_digest(state.get()));
}

std::string to_hex(const ContentHash& hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : hash) {
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

}  // namespace memmatch
