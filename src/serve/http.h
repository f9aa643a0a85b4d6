#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// HTTP without a network: what the routes see of a request, and what they give back.

namespace memmatch::serve {

struct HttpRequest {
  std::string method;  // "GET"
  std::string target;  // "/v1/documents/AC%2FDC?x=1", as it came
  std::string host;    // headers, empty where they are missing
  std::string authorization;
  std::string content_type;
  std::string content_encoding;
  std::string origin;
  std::string fetch_site;     // Sec-Fetch-Site
  std::string if_none_match;  // of the page's files
  std::string body;
  std::string protocol_version = {};  // MCP-Protocol-Version
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// Gives the answer, from any thread, exactly once.
using Respond = std::function<void(HttpAnswer)>;

// An error as a client sees it.
struct RequestError {
  int status = 500;
  std::string code;
  std::string message;
};

[[noreturn]] inline void refuse(int status, std::string code, std::string message) {
  throw RequestError{status, std::move(code), std::move(message)};
}

}  // namespace memmatch::serve
