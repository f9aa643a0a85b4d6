#include "serve/router.h"

#include <algorithm>
#include <array>
#include <optional>

namespace memmatch::serve {
namespace {

constexpr std::string_view kDocument = "/v1/documents/{}";
constexpr std::string_view kSentences = "/v1/documents/{}/sentences";
constexpr std::string_view kSentence = "/v1/documents/{}/sentences/{}";
constexpr std::string_view kExemplar = "/v1/exemplars/{}";

constexpr std::array kRoutes{
    Route{"POST", "/v1/verify", Access::read, false, verify},
    Route{"POST", "/v1/check", Access::read, false, check_text},
    Route{"POST", "/v1/search", Access::read, false, search_texts},
    Route{"GET", "/v1/align", Access::read, false, align},
    Route{"POST", "/v1/rerank", Access::read, false, rerank},
    Route{"POST", "/v2/rerank", Access::read, false, rerank},
    Route{"POST", "/rerank", Access::read, false, rerank},
    Route{"POST", "/v1/embeddings", Access::read, false, embeddings},
    Route{"POST", "/embeddings", Access::read, false, embeddings},
    Route{"GET", "/v1/models", Access::read, false, models},
    Route{"GET", "/v1/documents", Access::read, false, list_documents},
    Route{"GET", kDocument, Access::read, false, get_document},
    Route{"PUT", kDocument, Access::write, false, put_document},
    Route{"DELETE", kDocument, Access::write, false, delete_document},
    Route{"POST", kSentences, Access::write, false, post_sentence},
    Route{"GET", kSentence, Access::read, false, get_sentence},
    Route{"PUT", kSentence, Access::write, false, put_sentence},
    Route{"DELETE", kSentence, Access::write, false, delete_sentence},
    Route{"GET", "/v1/exemplars", Access::read, false, list_exemplars},
    Route{"POST", "/v1/exemplars", Access::write, false, post_exemplar},
    Route{"GET", kExemplar, Access::read, false, get_exemplar},
    Route{"PATCH", kExemplar, Access::write, false, patch_exemplar},
    Route{"DELETE", kExemplar, Access::write, false, delete_exemplar},
    Route{"POST", "/mcp", Access::read, true, post_mcp},
    Route{"GET", "/v1/info", Access::read, false, info},
    Route{"GET", "/healthz", Access::open, true, healthz},
    Route{"GET", "/readyz", Access::open, true, readyz},
    Route{"GET", "/metrics", Access::read, true, metrics},
    Route{"GET", "/openapi.json", Access::open, true, openapi},
};

// What the pattern's {} stand for, where the path fits it.
std::optional<std::vector<std::string>> fit(std::string_view pattern,
                                            const std::vector<std::string>& path) {
  std::vector<std::string> captures;
  std::size_t segment = 0;
  while (!pattern.empty()) {
    pattern.remove_prefix(1);  // the slash
    const std::string_view part = pattern.substr(0, pattern.find('/'));
    if (segment == path.size()) return std::nullopt;
    if (part == "{}") {
      if (path[segment].empty()) return std::nullopt;
      captures.push_back(path[segment]);
    } else if (part != path[segment]) {
      return std::nullopt;
    }
    pattern.remove_prefix(part.size());
    ++segment;
  }
  return segment == path.size() ? std::optional(std::move(captures)) : std::nullopt;
}

}  // namespace

std::span<const Route> routes() { return kRoutes; }

Match match(std::string_view method, const std::vector<std::string>& path) {
  if (method == "HEAD") method = "GET";
  Match match;
  for (const Route& route : kRoutes) {
    std::optional<std::vector<std::string>> captures = fit(route.pattern, path);
    if (!captures) continue;
    if (route.method == method) return {&route, *std::move(captures), {}};
    match.allowed += (match.allowed.empty() ? "" : ", ") + std::string(route.method);
  }
  return match;
}

}  // namespace memmatch::serve
