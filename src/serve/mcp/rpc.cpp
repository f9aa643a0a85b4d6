#include "serve/mcp/rpc.h"

namespace memmatch::serve::mcp {
namespace {

// Null is a bad id, and not as good as none.
std::optional<JsonElement> find_id(JsonElement element) {
  JsonElement id;
  if (element["id"].get(id) != simdjson::SUCCESS) return std::nullopt;
  return id;
}

Fields members(JsonElement element) {
  if (!element.is_object()) throw RpcError{kInvalidRequest, "a message must be an object"};
  try {
    return {element, "message"};
  } catch (const RequestError& error) {
    throw RpcError{kInvalidRequest, error.message};
  }
}

}  // namespace

std::optional<Json> as_id(JsonElement element) {
  std::string_view text;
  if (element.get(text) == simdjson::SUCCESS) return Json(text);
  std::int64_t number = 0;
  if (element.get(number) == simdjson::SUCCESS) return Json(number);
  return std::nullopt;
}

std::optional<Json> id_of(JsonElement element) {
  const std::optional<JsonElement> id = find_id(element);
  return id ? as_id(*id) : std::nullopt;
}

Message parse_message(JsonElement element) {
  const Fields fields = members(element);
  const auto text = [&](std::string_view name) -> std::optional<std::string_view> {
    const std::optional<JsonElement> value = fields.find(name);
    std::string_view found;
    if (!value || value->get(found) != simdjson::SUCCESS) return std::nullopt;
    return found;
  };
  if (text("jsonrpc") != "2.0") throw RpcError{kInvalidRequest, "'jsonrpc' must be \"2.0\""};
  const std::optional<JsonElement> id = find_id(element);
  Message message;
  if (!fields.has("method") && (fields.has("result") || fields.has("error"))) {
    message.kind = Message::Kind::response;
    return message;
  }
  const auto method = text("method");
  if (!method) throw RpcError{kInvalidRequest, "'method' must be there, and a text"};
  message.method = *method;
  message.kind = id ? Message::Kind::request : Message::Kind::notification;
  if (id) {
    std::optional<Json> known = as_id(*id);
    if (!known) throw RpcError{kInvalidRequest, "'id' must be a text or a whole number"};
    message.id = *std::move(known);
  }
  message.params = fields.object("params");
  return message;
}

Json success(Json result) { return {{"result", std::move(result)}}; }

Json failure(const RpcError& error) {
  return {{"error", {{"code", error.code}, {"message", error.message}}}};
}

Json answer(const std::optional<Json>& id, Json body) {
  Json whole = {{"jsonrpc", "2.0"}};
  if (id) whole["id"] = *id;
  whole.update(body);
  return whole;
}

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace memmatch::serve::mcp
