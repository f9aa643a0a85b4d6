#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "serve/requests.h"

namespace memmatch::serve {

// The JSON object of a request's body, field by field. Every accessor throws RequestError(422) that
// names the field; null counts as absent.
class Fields {
 public:
  // Throws RequestError(400) where `body` is no JSON object, 422 where it has a field twice. Lives
  // no longer than both.
  Fields(JsonParser& parser, std::string& body);
  Fields(JsonElement element, std::string_view name);

  // Only these may be there.
  void allow(std::initializer_list<std::string_view> known) const;

  bool has(std::string_view field) const { return find(field).has_value(); }
  std::optional<JsonElement> find(std::string_view field) const { return object_.find(field); }

  // A text that is not blank and not too long.
  std::string text(std::string_view field, std::size_t most = limits::kTextBytes) const;
  std::string text_or(std::string_view field, std::string_view preset) const;
  bool boolean(std::string_view field, bool preset) const;
  // The preset must be within the limits, too: where it is not, neither is the request.
  int integer(std::string_view field, int preset, int least, int most) const;
  std::optional<double> number(std::string_view field) const;  // not below 0
  std::string_view one_of(std::string_view field, std::string_view preset,
                          std::initializer_list<std::string_view> values) const;

  // Of `many` an array of texts, or of `one` a single text; at least one, at most `most`.
  std::vector<std::string> texts(std::string_view many, std::string_view one,
                                 std::size_t most) const;

  // An array with at most `most` elements.
  std::vector<JsonElement> elements(std::string_view field, std::size_t most) const;
  std::optional<Fields> object(std::string_view field) const;

  // "field" or "outer.field".
  std::string path(std::string_view field) const;

 private:
  void check_doubles() const;

  JsonObject object_;
  std::string prefix_;
};

// `element` as a text of at most `most` bytes; `allow_blank` where a blank one is something to be.
std::string as_text(JsonElement element, std::string_view name, bool allow_blank = false,
                    std::size_t most = limits::kTextBytes);

[[noreturn]] void bad_field(std::string_view name, std::string_view what);

}  // namespace memmatch::serve
