#include "serve/mcp/tools.h"

#include <algorithm>
#include <array>

#include "serve/embedded.h"
#include "serve/mcp/texts.h"
#include "serve/url.h"

namespace memmatch::serve::mcp {
namespace {

// What the body says where the arguments do not.
struct Preset {
  std::string_view field = {};
  std::string_view json = {};
};

// The known decision that a verdict resembles most, which may be a correction of it.
constexpr Preset kNearestExemplar{"exemplars", R"({"nearest":1})"};

// A tool is a route. How it is described to language models is in tools.json.
struct Tool {
  std::string_view name;
  std::string_view method;
  std::string_view path;  // {…} stands for an argument; the others are the body
  bool writes = false;
  bool of_exemplars = false;  // without a database of them there is no such tool
  bool verifies = false;      // its preset is for where there are exemplars
  Preset preset = {};
  std::string (*text)(const Json& answer) = nullptr;
};

constexpr std::array kTools{
    Tool{.name = "verify",
         .method = "POST",
         .path = "/v1/verify",
         .verifies = true,
         .preset = kNearestExemplar,
         .text = verify_text},
    Tool{.name = "check",
         .method = "POST",
         .path = "/v1/check",
         .verifies = true,
         .preset = kNearestExemplar,
         .text = check_text},
    Tool{.name = "search", .method = "POST", .path = "/v1/search", .text = search_text},
    Tool{.name = "add_document",
         .method = "PUT",
         .path = "/v1/documents/{title}",
         .writes = true,
         .preset = {"replace", "false"},
         .text = document_text},
    Tool{.name = "edit_sentence",
         .method = "PUT",
         .path = "/v1/documents/{title}/sentences/{number}",
         .writes = true,
         .text = sentence_text},
    Tool{.name = "correct",
         .method = "POST",
         .path = "/v1/exemplars",
         .writes = true,
         .of_exemplars = true,
         .text = correction_text},
};

const Tool* find_tool(std::string_view name) {
  const auto* found = std::find_if(kTools.begin(), kTools.end(),
                                   [&](const Tool& tool) { return tool.name == name; });
  return found == kTools.end() ? nullptr : found;
}

bool may_call(const Peer& peer, const Tool& tool) {
  if (tool.writes && !peer.why_no_writes.empty()) return false;
  return !tool.of_exemplars || peer.exemplars;
}

// "{title}": the argument of that name as a segment of a path.
std::string path_segment(const Fields& arguments, std::string_view name) {
  std::int64_t number = 0;
  const std::optional<JsonElement> value = arguments.find(name);
  if (value && value->get(number) == simdjson::SUCCESS) return std::to_string(number);
  return path_escaped(arguments.text(name));
}

bool is_in_path(const Tool& tool, std::string_view name) {
  return tool.path.find(fmt::format("{{{}}}", name)) != std::string_view::npos;
}

std::string target_of(const Tool& tool, const Fields& arguments) {
  std::string target;
  std::string_view rest = tool.path;
  while (true) {
    const std::size_t open = rest.find('{');
    target += rest.substr(0, open);
    if (open == std::string_view::npos) return target;
    const std::size_t close = rest.find('}');
    target += path_segment(arguments, rest.substr(open + 1, close - open - 1));
    rest.remove_prefix(close + 1);
  }
}

// The arguments that are not in the path, as they came, and the preset.
std::string body_of(const Tool& tool, JsonElement arguments, const Preset& preset) {
  std::string body;
  const auto add = [&](std::string_view name, std::string_view json) {
    body += fmt::format("{}{}:{}", body.empty() ? "" : ",", to_text(Json(name)), json);
  };
  simdjson::dom::object object;
  if (arguments.get(object) != simdjson::SUCCESS) return "{}";
  for (const auto& [name, value] : object) {
    if (!value.is_null() && !is_in_path(tool, name)) add(name, simdjson::minify(value));
  }
  if (!preset.field.empty()) add(preset.field, preset.json);
  return "{" + body + "}";
}

HttpRequest to_request(const Peer& peer, const Tool& tool, JsonElement arguments) {
  const Fields fields(arguments, "arguments");
  const bool preset = !fields.has(tool.preset.field) && (!tool.verifies || peer.exemplars);
  return request_of(peer, tool.method, target_of(tool, fields),
                    body_of(tool, arguments, preset ? tool.preset : Preset{}));
}

Json text_result(const std::string& text) {
  return {{"content", Json::array({{{"type", "text"}, {"text", text}}})}};
}

Json error_result(const std::string& message) {
  Json result = text_result(message);
  result["isError"] = true;
  return result;
}

Json to_result(const Tool& tool, const HttpAnswer& answer) {
  if (answer.status >= 400) return error_result(message_of(answer));
  Json json = Json::parse(answer.body);
  if (tool.verifies) add_decisions(json);
  Json result = text_result(tool.text(json));
  result["structuredContent"] = std::move(json);
  return result;
}

std::string names() {
  std::string all;
  for (const Tool& tool : kTools) all += fmt::format("{}{}", all.empty() ? "" : ", ", tool.name);
  return all;
}

}  // namespace

Json list_tools(const Peer& peer) {
  static const Json kDescribed = Json::parse(embedded_file("mcp/tools.json"));
  Json tools = Json::array();
  for (const Json& tool : kDescribed) {
    const Tool* known = find_tool(tool["name"].get_ref<const std::string&>());
    if (known && may_call(peer, *known)) tools.push_back(tool);
  }
  return {{"tools", std::move(tools)}};
}

void call_tool(const Peer& peer, const Fields& params, Reply reply) {
  const std::string name = params.text("name");
  const Tool* tool = find_tool(name);
  if (!tool) {
    throw RpcError{kInvalidParams, fmt::format("there is no tool '{}'; there are: {}",
                                               name.substr(0, 100), names())};
  }
  if (tool->writes && !peer.why_no_writes.empty())
    return reply(success(error_result(peer.why_no_writes)));
  simdjson::dom::parser parser;
  const std::optional<JsonElement> given = params.find("arguments");
  const JsonElement arguments = given ? *given : parser.parse(std::string("{}")).value();
  if (!arguments.is_object()) bad_field("params.arguments", "must be an object");
  HttpRequest request;
  try {
    request = to_request(peer, *tool, arguments);
  } catch (const RequestError& error) {
    return reply(success(error_result(error.message)));
  }
  peer.api(std::move(request), [tool, reply = std::move(reply)](const HttpAnswer& answer) {
    reply(success(to_result(*tool, answer)));
  });
}

}  // namespace memmatch::serve::mcp
