#pragma once

#include "serve/mcp/peer.h"

namespace memmatch::serve::mcp {

// Those that the peer may call, for tools/list.
Json list_tools(const Peer& peer);

// tools/call. Whatever goes wrong with a tool that there is becomes a result that says so, for the
// language model to read; throws RpcError for one that there is not, RequestError for bad `params`.
void call_tool(const Peer& peer, const Fields& params, Reply reply);

}  // namespace memmatch::serve::mcp
