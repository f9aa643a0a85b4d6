#include "serve/mcp/session.h"

#include <algorithm>
#include <array>

#include "serve/mcp/resources.h"
#include "serve/mcp/tools.h"

namespace memmatch::serve::mcp {
namespace {

constexpr std::array kVersions{kLatestVersion, std::string_view("2025-06-18"), kUnsaidVersion,
                               std::string_view("2024-11-05")};
constexpr std::string_view kVersionWithBatches = "2025-03-26";
constexpr std::size_t kMostInBatch = 100;

constexpr const char* kInstructions =
    "memmatch checks statements against a datastore of documents and says of each SUPPORTS (the "
    "documents say so), REFUTES (they say otherwise) or NOT ENOUGH INFO (they do not say: it may "
    "still be true), with the sentences that it goes by. Use 'check' on a text before you rely on "
    "it or pass it on, 'verify' for single claims, 'search' to find what the documents say about "
    "something. A claim must stand by itself: a whole sentence that names what it is about, with "
    "no "
    "pronoun for it. Verdicts are those of a small model: look at the confidence and read the "
    "sentences. Where a verdict is wrong and you know better from the user, 'correct' it; where "
    "the "
    "documents are wrong or out of date, 'edit_sentence' or 'add_document'; these are there only "
    "if "
    "changes are allowed.";

// The answers of a batch, as they come.
struct Batch {
  std::mutex mutex;
  std::size_t left = 0;
  Json answers = Json::array();
};

const Fields& required(const std::optional<Fields>& params) {
  if (!params) throw RpcError{kInvalidParams, "'params' is missing"};
  return *params;
}

// Of what is not given in parts.
void check_no_cursor(const std::optional<Fields>& params) {
  if (params && params->has("cursor"))
    bad_field("params.cursor", "must be the 'nextCursor' of an earlier answer; there was none");
}

}  // namespace

std::optional<std::string_view> find_version(std::string_view name) {
  const auto* found = std::find(kVersions.begin(), kVersions.end(), name);
  return found == kVersions.end() ? std::nullopt : std::optional(*found);
}

std::string version_names() { return fmt::format("{}", fmt::join(kVersions, ", ")); }

const std::map<std::string_view, Session::Method> Session::kMethods{
    {"initialize", &Session::initialize},
    {"ping", &Session::ping},
    {"tools/list", &Session::tools_list},
    {"tools/call", &Session::tools_call},
    {"resources/list", &Session::resources_list},
    {"resources/templates/list", &Session::resource_templates_list},
    {"resources/read", &Session::resources_read},
};

std::shared_ptr<Session> Session::make(Peer peer, std::optional<std::string_view> version) {
  return std::shared_ptr<Session>(new Session(std::move(peer), version));
}

std::string Session::refusal(const std::string& why) {
  return to_text(answer({}, failure({kInvalidRequest, why})));
}

void Session::take(const std::string& text, const Send& send) {
  simdjson::dom::parser parser;
  JsonElement root;
  if (const auto error = parser.parse(text).get(root); error != simdjson::SUCCESS) {
    const RpcError garbage{
        kParseError, fmt::format("this is not JSON in UTF-8: {}", simdjson::error_message(error))};
    return send(to_text(answer({}, failure(garbage))));
  }
  JsonArray batch;
  if (root.get(batch) == simdjson::SUCCESS) return take_batch(batch, send);
  take_one(root, [send](const std::optional<Json>& answer) {
    send(answer ? std::optional(to_text(*answer)) : std::nullopt);
  });
}

void Session::take_batch(JsonArray batch, const Send& send) {
  if (version_ != kVersionWithBatches) {
    return send(refusal(fmt::format("batches are of version {} alone; send one message at a time",
                                    kVersionWithBatches)));
  }
  if (batch.size() == 0 || batch.size() > kMostInBatch)
    return send(refusal(fmt::format("a batch has from 1 to {} messages", kMostInBatch)));
  const auto answers = std::make_shared<Batch>();
  answers->left = batch.size();
  for (const JsonElement element : batch) {
    take_one(element, [answers, send](std::optional<Json> answer) {
      {
        const std::lock_guard lock(answers->mutex);
        if (answer) answers->answers.push_back(*std::move(answer));
        if (--answers->left > 0) return;
      }
      send(answers->answers.empty() ? std::nullopt : std::optional(to_text(answers->answers)));
    });
  }
}

void Session::take_one(JsonElement element, const Done& done) {
  Message message;
  try {
    message = parse_message(element);
  } catch (const RpcError& error) {
    return done(answer(id_of(element), failure(error)));
  } catch (const RequestError& error) {
    return done(answer(id_of(element), failure({kInvalidParams, error.message})));
  }
  if (message.kind == Message::Kind::request) return take_request(message, done);
  if (message.kind == Message::Kind::notification) take_notification(message);
  done(std::nullopt);
}

void Session::take_request(const Message& message, const Done& done) {
  const std::string id = to_text(message.id);
  const std::uint64_t number = begin(id);
  if (number == 0)
    return done(answer(message.id, failure({kInvalidRequest, "this id is in use already"})));
  const Reply reply = [self = shared_from_this(), json = message.id, id, number, done](Json body) {
    done(self->end(id, number) ? std::optional(answer(json, std::move(body))) : std::nullopt);
  };
  try {
    perform(message, reply);
  } catch (const RpcError& error) {
    reply(failure(error));
  } catch (const RequestError& error) {
    reply(failure({kInvalidParams, error.message}));
  }
}

void Session::take_notification(const Message& message) {
  if (message.method != "notifications/cancelled" || !message.params) return;
  const std::optional<JsonElement> given = message.params->find("requestId");
  const std::optional<Json> id = given ? as_id(*given) : std::nullopt;
  if (id) cancel(to_text(*id));
}

void Session::perform(const Message& message, const Reply& reply) {
  const auto method = kMethods.find(message.method);
  if (method == kMethods.end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, what] : kMethods) names.push_back(name);
    throw RpcError{kMethodNotFound,
                   fmt::format("there is no method '{}'; there are: {}",
                               message.method.substr(0, 100), fmt::join(names, ", "))};
  }
  if (!version_ && message.method != "initialize" && message.method != "ping")
    throw RpcError{kInvalidRequest, "send 'initialize' first"};
  (this->*method->second)(message, reply);
}

void Session::initialize(const Message& message, const Reply& reply) {
  const std::string wanted = required(message.params).text("protocolVersion");
  version_ = find_version(wanted).value_or(kLatestVersion);
  reply(success(
      {{"protocolVersion", *version_},
       {"capabilities", {{"tools", Json::object()}, {"resources", Json::object()}}},
       {"serverInfo", {{"name", "memmatch"}, {"title", "memmatch"}, {"version", peer_.version}}},
       {"instructions", kInstructions}}));
}

void Session::ping(const Message&, const Reply& reply) { reply(success(Json::object())); }

void Session::tools_list(const Message& message, const Reply& reply) {
  check_no_cursor(message.params);
  reply(success(list_tools(peer_)));
}

void Session::tools_call(const Message& message, const Reply& reply) {
  call_tool(peer_, required(message.params), reply);
}

void Session::resources_list(const Message& message, const Reply& reply) {
  list_resources(peer_, message.params, reply);
}

void Session::resource_templates_list(const Message& message, const Reply& reply) {
  check_no_cursor(message.params);
  reply(success(list_resource_templates()));
}

void Session::resources_read(const Message& message, const Reply& reply) {
  read_resource(peer_, required(message.params), reply);
}

// The request's number, or 0 where there is one of this id.
std::uint64_t Session::begin(const std::string& id) {
  const std::lock_guard lock(mutex_);
  return in_flight_.emplace(id, begun_ + 1).second ? ++begun_ : 0;
}

// Whether it is still to be answered.
bool Session::end(const std::string& id, std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = in_flight_.find(id);
  if (found == in_flight_.end() || found->second != number) return false;
  in_flight_.erase(found);
  return true;
}

void Session::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  in_flight_.erase(id);
}

}  // namespace memmatch::serve::mcp
