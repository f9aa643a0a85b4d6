#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>

#include "serve/http.h"
#include "serve/mcp/rpc.h"

namespace memmatch::serve::mcp {

// The other side of a conversation, and how its wishes get to the API: as requests like
// everybody's, so that limits, access, errors and batching are the same.
struct Peer {
  std::function<void(HttpRequest, Respond)> api;
  HttpRequest sender;         // its headers go with every request
  std::string why_no_writes;  // empty where the peer may change something
  bool exemplars = false;     // there is a database of them
  std::string version;        // of the program
};

// Takes what an answer consists of beside its id, from any thread, exactly once.
using Reply = std::function<void(Json body)>;

// A request of the peer's to the API.
inline HttpRequest request_of(const Peer& peer, std::string_view method, std::string target,
                              std::string body = "") {
  HttpRequest request = peer.sender;
  request.method = method;
  request.target = std::move(target);
  request.content_type = body.empty() ? "" : "application/json";
  request.body = std::move(body);
  return request;
}

// What an answer that is an error says to people.
inline std::string message_of(const HttpAnswer& answer) {
  const Json json = Json::parse(answer.body, nullptr, false);
  const Json::json_pointer place("/error/message");
  return json.is_object() && json.contains(place) ? json[place].get<std::string>()
                                                  : fmt::format("error {}", answer.status);
}

}  // namespace memmatch::serve::mcp
