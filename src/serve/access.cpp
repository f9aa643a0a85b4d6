#include "serve/access.h"

#include <algorithm>
#include <cctype>

namespace memmatch::serve {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || host.ends_with(']')) return host;
  return host.substr(0, colon);
}

void check_site(const HttpRequest& request, Access access, const ServiceSettings& settings) {
  // Somebody else's name that leads to this machine (DNS rebinding) makes a page of theirs look
  // like ours.
  if (settings.loopback && !request.host.empty() && !is_local_host(request.host))
    refuse(403, "forbidden", "the Host header names another machine; use localhost or 127.0.0.1");
  if (access == Access::open) return;
  const std::string site = lower(request.fetch_site);
  const bool other_origin = !request.origin.empty() &&
                            lower(request.origin) != "http://" + lower(request.host) &&
                            lower(request.origin) != "https://" + lower(request.host);
  if (other_origin || site == "cross-site" || site == "same-site")
    refuse(403, "forbidden", "pages of other sites may not use this server");
}

void check_token(const HttpRequest& request, Access access, const ServiceSettings& settings) {
  const bool needed = access == Access::write || (access == Access::read && !settings.loopback);
  if (!needed) return;
  if (settings.token.empty()) {
    refuse(401, "unauthorized",
           "this server takes no writes: start it with --token-file FILE and send the token in "
           "that file as 'Authorization: Bearer TOKEN'");
  }
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view given = request.authorization;
  const bool bearer = lower(given.substr(0, kScheme.size())) == kScheme;
  if (!bearer || !equal_tokens(given.substr(kScheme.size()), settings.token)) {
    refuse(401, "unauthorized",
           "this needs the token that the server was started with: 'Authorization: Bearer TOKEN'");
  }
}

void check_body(const HttpRequest& request) {
  if (!request.content_encoding.empty() && lower(request.content_encoding) != "identity")
    refuse(415, "unsupported_media_type", "bodies may not be compressed");
  if (request.method != "POST" && request.method != "PUT" && request.method != "PATCH") return;
  std::string type = lower(request.content_type);
  type = type.substr(0, type.find(';'));
  type.erase(type.find_last_not_of(" \t") + 1);
  if (type != "application/json") {
    refuse(415, "unsupported_media_type",
           "the body must be JSON; say so by 'Content-Type: application/json'");
  }
}

}  // namespace

bool equal_tokens(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ other));
  }
  return difference == 0;
}

bool is_local_host(std::string_view host) {
  const std::string name = lower(without_port(host));
  if (name == "localhost" || name == "[::1]") return true;
  // 127.0.0.0/8; a name such as 127.0.0.1.example.org is not.
  return name.starts_with("127.") && std::count(name.begin(), name.end(), '.') == 3 &&
         name.find_first_not_of("0123456789.") == std::string::npos;
}

void check_access(const HttpRequest& request, Access access, const ServiceSettings& settings) {
  check_site(request, access, settings);
  check_token(request, access, settings);
  if (access == Access::write && settings.verifier.read_only)
    refuse(403, "forbidden", "this server was started with --read-only");
  check_body(request);
}

}  // namespace memmatch::serve
