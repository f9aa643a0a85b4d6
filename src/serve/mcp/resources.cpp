#include "serve/mcp/resources.h"

#include <algorithm>

#include "serve/mcp/texts.h"
#include "serve/url.h"

namespace memmatch::serve::mcp {
namespace {

constexpr std::string_view kPrefix = "memmatch://documents/";
constexpr int kAtOnce = 100;
constexpr int kLastOffset = 10'000;  // as GET /v1/documents takes it
constexpr const char* kType = "text/plain";

Json to_resource(const Json& document) {
  const auto& raw_title = document.at("raw_title").get_ref<const std::string&>();
  return {{"uri", std::string(kPrefix) + path_escaped(raw_title)},
          {"name", raw_title},
          {"title", document.at("title")},
          {"mimeType", kType}};
}

// Where the list goes on: how many came before.
std::int64_t offset_of(const std::optional<Fields>& params) {
  if (!params || !params->has("cursor")) return 0;
  const std::optional<std::int64_t> offset = parse_number(params->text("cursor"));
  if (!offset || *offset > kLastOffset)
    bad_field("params.cursor", "must be the 'nextCursor' of an earlier answer");
  return *offset;
}

RpcError to_error(const HttpAnswer& answer) {
  const ErrorCode code = answer.status == 404  ? kResourceNotFound
                         : answer.status < 500 ? kInvalidParams
                                               : kInternalError;
  return {code, message_of(answer)};
}

Json to_list(const Json& answer, std::int64_t offset) {
  Json resources = Json::array();
  for (const Json& document : answer.at("documents")) resources.push_back(to_resource(document));
  Json list = {{"resources", std::move(resources)}};
  const std::int64_t next = offset + kAtOnce;
  if (answer.at("more").get<bool>() && next <= kLastOffset)
    list["nextCursor"] = std::to_string(next);
  return list;
}

}  // namespace

void list_resources(const Peer& peer, const std::optional<Fields>& params, Reply reply) {
  const std::int64_t offset = offset_of(params);
  peer.api(
      request_of(peer, "GET", fmt::format("/v1/documents?limit={}&offset={}", kAtOnce, offset)),
      [offset, reply = std::move(reply)](const HttpAnswer& answer) {
        reply(answer.status < 400 ? success(to_list(Json::parse(answer.body), offset))
                                  : failure(to_error(answer)));
      });
}

Json list_resource_templates() {
  return {{"resourceTemplates",
           Json::array({{{"uriTemplate", std::string(kPrefix) + "{title}"},
                         {"name", "document"},
                         {"title", "A document by its title"},
                         {"description",
                          "The sentences of a document with their numbers. The title is escaped as "
                          "in a URL: memmatch://documents/Ada%20Lovelace"},
                         {"mimeType", kType}}})}};
}

void read_resource(const Peer& peer, const Fields& params, Reply reply) {
  const std::string uri = params.text("uri");
  const std::string_view title = std::string_view(uri).substr(std::min(kPrefix.size(), uri.size()));
  if (!uri.starts_with(kPrefix) || title.empty() ||
      title.find_first_of("/?#") != std::string_view::npos) {
    throw RpcError{kResourceNotFound,
                   fmt::format("'{}' is no document; their addresses are {}TITLE, the title "
                               "escaped as in a URL",
                               uri.substr(0, 200), kPrefix)};
  }
  peer.api(request_of(peer, "GET", fmt::format("/v1/documents/{}", title)),
           [uri, reply = std::move(reply)](const HttpAnswer& answer) {
             if (answer.status >= 400) return reply(failure(to_error(answer)));
             const std::string text = resource_text(Json::parse(answer.body));
             reply(success({{"contents",
                             Json::array({{{"uri", uri}, {"mimeType", kType}, {"text", text}}})}}));
           });
}

}  // namespace memmatch::serve::mcp
