#pragma once

#include <optional>
#include <string>

#include "serve/answers.h"
#include "serve/fields.h"

// JSON-RPC 2.0, as far as the Model Context Protocol uses it.

namespace memmatch::serve::mcp {

enum ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kResourceNotFound = -32002,  // the protocol's own
};

// What is answered in place of a result.
struct RpcError {
  int code = kInternalError;
  std::string message;
};

// A client's message. Views into the parser that read it.
struct Message {
  enum class Kind { request, notification, response };

  Kind kind = Kind::request;
  Json id;  // of a request: a text or a whole number
  std::string method;
  std::optional<Fields> params;
};

// Throws RpcError where it is no message.
Message parse_message(JsonElement element);

// What may be an id: a text or a whole number.
std::optional<Json> as_id(JsonElement element);

// The id of what may be no message otherwise; none where it cannot be read.
std::optional<Json> id_of(JsonElement element);

// What an answer consists of beside its id.
Json success(Json result);
Json failure(const RpcError& error);

// A whole answer. Without an id where the message's could not be read: the protocol's schemas
// leave it out where JSON-RPC has null.
Json answer(const std::optional<Json>& id, Json body);

// Without line breaks.
std::string to_text(const Json& json);

}  // namespace memmatch::serve::mcp
