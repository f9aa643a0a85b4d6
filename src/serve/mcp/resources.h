#pragma once

#include "serve/mcp/peer.h"

// Documents as resources: memmatch://documents/TITLE, the title escaped as in a URL.

namespace memmatch::serve::mcp {

// resources/list, by title: as many as the API gives at once, and a cursor for the next, up to its
// limit. Throws RequestError for bad `params`.
void list_resources(const Peer& peer, const std::optional<Fields>& params, Reply reply);

Json list_resource_templates();

// resources/read. Throws RpcError for what is no document's address, RequestError for bad `params`.
void read_resource(const Peer& peer, const Fields& params, Reply reply);

}  // namespace memmatch::serve::mcp
