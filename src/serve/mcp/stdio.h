#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serve/context.h"

namespace memmatch::serve::mcp {

// What comes in pieces, line by line. A line that is too long is thrown away as it comes.
class Lines {
 public:
  explicit Lines(std::size_t longest) : longest_(longest) {}

  struct Line {
    std::string text;
    bool too_long = false;  // then without its text
  };

  void feed(std::string_view piece) { buffer_ += piece; }
  void end() { ended_ = true; }  // what is left is a line as well

  // None where more has to come first.
  std::optional<Line> next();

 private:
  std::size_t longest_;
  std::string buffer_;
  std::size_t begin_ = 0;    // of the next line
  std::size_t scanned_ = 0;  // up to here there is no line's end
  bool skipping_ = false;    // the rest of a line that is too long
  bool ended_ = false;
};

// Serves one client over two open files, such as standard input and output, a message a line, until
// the end of input; what came by then is answered. The model is loaded meanwhile: what needs it
// waits. Nothing but messages is written. Throws what went wrong with loading, after saying so to
// whoever waits. `settings` are those of a server; their token is not looked at.
void serve_stdio(int in, int out, ServiceSettings settings, bool allow_writes);

}  // namespace memmatch::serve::mcp
