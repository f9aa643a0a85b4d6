#pragma once

#include <string_view>

#include "serve/http.h"
#include "serve/router.h"

namespace memmatch::serve {

// In a time that does not depend on where they differ.
bool equal_tokens(std::string_view a, std::string_view b);

// Whether the Host header names this machine, as the browser of somebody at it writes it.
bool is_local_host(std::string_view host);

// Throws RequestError where the request may not be made: 403 where a page of another site makes it,
// 401 without the token that it needs, 415 for a body that is not plainly JSON.
void check_access(const HttpRequest& request, Access access, const ServiceSettings& settings);

}  // namespace memmatch::serve
