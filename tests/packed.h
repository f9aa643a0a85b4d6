#pragma once

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace memmatch::test {

// `content` packed as a file with this ending would be: ".gz", ".xz", ".zst".
inline std::string packed(std::string_view ending, std::string_view content) {
  namespace io = boost::iostreams;
  std::string result;
  io::filtering_ostream out;
  if (ending == ".gz") {
    out.push(io::gzip_compressor());
  } else if (ending == ".xz") {
    out.push(io::lzma_compressor());
  } else if (ending == ".zst") {
    out.push(io::zstd_compressor());
  } else {
    throw std::invalid_argument("unknown ending");
  }
  out.push(io::back_inserter(result));
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.reset();
  return result;
}

}  // namespace memmatch::test
