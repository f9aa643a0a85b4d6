#include "serve/access.h"
#include "serve/mcp/session.h"
#include "serve/router.h"

// The Model Context Protocol over HTTP ("Streamable HTTP"): a message a request, answered as JSON.
// There is nothing that the server says by itself, so no streams, and no sessions.

namespace memmatch::serve {
namespace {

// Why whoever asks may not change anything; empty where they may.
std::string why_no_writes(const Context& context, const HttpRequest& request) {
  try {
    check_access(request, Access::write, context.settings);
  } catch (const RequestError& error) {
    return error.message;
  }
  return "";
}

mcp::Peer peer_of(const Context& context, const HttpRequest& request) {
  mcp::Peer peer{.api = context.api,
                 .sender = request,
                 .why_no_writes = why_no_writes(context, request),
                 .exemplars = !context.settings.files.exemplars.empty(),
                 .version = context.settings.version};
  peer.sender.body.clear();
  return peer;
}

HttpAnswer rpc_answer(int status, std::string body) {
  return {.status = status, .body = std::move(body), .headers = {{"Cache-Control", "no-store"}}};
}

// What no message could be read from is not accepted; whatever else went wrong is an answer.
HttpAnswer to_answer(std::optional<std::string> text) {
  if (!text) return rpc_answer(202, "");
  const Json json = Json::parse(*text);
  const bool refused = json.is_object() && json.contains("error") && !json.contains("id");
  return rpc_answer(refused ? 400 : 200, *std::move(text));
}

}  // namespace

void post_mcp(Context& context, const CallPtr& call) {
  const std::string& said = call->request.protocol_version;
  const auto version = said.empty() ? mcp::kUnsaidVersion : mcp::find_version(said);
  if (!version) {
    return call->respond(rpc_answer(
        400,
        mcp::Session::refusal(fmt::format(
            "MCP-Protocol-Version is '{}'; the server speaks {}, which 'initialize' negotiates",
            said.substr(0, 100), mcp::version_names()))));
  }
  const auto session = mcp::Session::make(peer_of(context, call->request), version);
  session->take(call->request.body, [call](std::optional<std::string> text) {
    call->respond(to_answer(std::move(text)));
  });
}

}  // namespace memmatch::serve
