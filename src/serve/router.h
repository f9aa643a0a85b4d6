#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "serve/context.h"

namespace memmatch::serve {

// Who may call a route: anybody; on loopback anybody, beyond it with the token; with the token.
enum class Access { open, read, write };

struct Route {
  std::string_view method;
  std::string_view pattern;  // "/v1/documents/{}": {} stands for one segment of the path
  Access access = Access::read;
  bool before_ready = false;  // answers while the model is loading
  // Answers the call now or later. Called by the server's own thread; may throw RequestError,
  // Error.
  void (*handle)(Context& context, const CallPtr& call) = nullptr;
};

std::span<const Route> routes();

struct Match {
  const Route* route = nullptr;  // none: see `allowed`
  std::vector<std::string> captures;
  std::string
      allowed;  // methods of the routes with this path, "GET, PUT"; empty where there is none
};

// HEAD is answered as GET.
Match match(std::string_view method, const std::vector<std::string>& path);

// --- The routes, by resource ---

void verify(Context& context, const CallPtr& call);
void check_text(Context& context, const CallPtr& call);
void search_texts(Context& context, const CallPtr& call);
void align(Context& context, const CallPtr& call);

void rerank(Context& context, const CallPtr& call);
void embeddings(Context& context, const CallPtr& call);
void models(Context& context, const CallPtr& call);

void list_documents(Context& context, const CallPtr& call);
void get_document(Context& context, const CallPtr& call);
void put_document(Context& context, const CallPtr& call);
void delete_document(Context& context, const CallPtr& call);
void get_sentence(Context& context, const CallPtr& call);
void post_sentence(Context& context, const CallPtr& call);
void put_sentence(Context& context, const CallPtr& call);
void delete_sentence(Context& context, const CallPtr& call);

void list_exemplars(Context& context, const CallPtr& call);
void get_exemplar(Context& context, const CallPtr& call);
void post_exemplar(Context& context, const CallPtr& call);
void patch_exemplar(Context& context, const CallPtr& call);
void delete_exemplar(Context& context, const CallPtr& call);

void post_mcp(Context& context, const CallPtr& call);

void info(Context& context, const CallPtr& call);
void healthz(Context& context, const CallPtr& call);
void readyz(Context& context, const CallPtr& call);
void metrics(Context& context, const CallPtr& call);
void openapi(Context& context, const CallPtr& call);

// A file of the page, where the path is one.
std::optional<HttpAnswer> page_file(const Call& call);

}  // namespace memmatch::serve
