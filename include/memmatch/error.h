#pragma once

#include <stdexcept>
#include <string>

namespace memmatch {

// What went wrong, coarse enough for a caller to act on: the command line turns it into an exit
// code, a server into an HTTP status.
enum class ErrorKind {
  invalid_argument,  // the caller asked for something that makes no sense
  not_found,         // a file, document, sentence … that does not exist
  corrupt,           // data that is damaged or not in the format it claims to be in
  io,                // the operating system refused: permissions, a broken disk, …
  full,              // there is no room on the disk; nothing was changed
  unsupported,       // well-formed, but not something this version can handle
  conflict,          // it exists already, or somebody else holds it
};

// The one exception type of the library. The message names the file, line or field concerned and
// says what to do about it. Control characters in what it quotes are escaped ("\x1b").
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message);

  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace memmatch
