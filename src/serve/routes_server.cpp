#include <algorithm>

#include "base/hash.h"
#include "search/network.h"
#include "serve/answers.h"
#include "serve/embedded.h"
#include "serve/router.h"

// What the server tells of itself, and its page.

namespace memmatch::serve {
namespace {

std::string_view type_of(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".json", "application/json"},
      {".webmanifest", "application/manifest+json"},
      {".woff2", "font/woff2"},
      {".txt", "text/plain; charset=utf-8"}};
  for (const auto& [ending, type] : kTypes) {
    if (name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

// Our own description, with the verdict as its own file describes it.
Json openapi_json() {
  Json json = Json::parse(embedded_file("openapi.json"));
  Json verdict = Json::parse(embedded_file("verdict.schema.json"));
  verdict.erase("$schema");
  json["components"]["schemas"]["Verdict"] = std::move(verdict);
  return json;
}

bool is_ready(const Context& context) {
  return context.loaded && !context.closing && context.bench->files_in_place();
}

}  // namespace

void info(Context& context, const CallPtr& call) {
  const ServiceSettings& settings = context.settings;
  const SearchOptions& search = settings.defaults.search;
  Workbench& bench = *context.bench;
  const auto& calibration = bench.calibration;
  const std::string admit =
      settings.defaults.admit.empty() ? bench.default_rule() : settings.defaults.admit;
  call->respond(
      json_answer(200, {{"version", settings.version},
                        {"model",
                         {{"fingerprint", to_hex(bench.verifier.model_fingerprint())},
                          {"precision", settings.verifier.int8 ? "int8" : "fp32"},
                          {"hidden", bench.verifier.network().mean_dimension()},
                          {"filters", bench.verifier.network().dimension()}}},
                        {"defaults",
                         {{"k1", search.k1},
                          {"z", search.z},
                          {"two_class", search.two_class},
                          {"candidates", name_of(search.candidates)},
                          {"admit", admit}}},
                        {"limits",
                         {{"claims", limits::kClaims},
                          {"k1", limits::kK1},
                          {"z", limits::kZ},
                          {"text_bytes", limits::kTextBytes},
                          {"body_bytes", limits::kBodyBytes}}},
                        {"calibrated", calibration.has_value()},
                        {"confidence", calibration && calibration->confidence.has_value()},
                        {"exemplars", !settings.files.exemplars.empty()},
                        {"writable", !settings.verifier.read_only},
                        {"token", settings.token.empty() ? "none" : "given"}}));
}

void healthz(Context&, const CallPtr& call) { call->respond(json_answer(200, {{"status", "ok"}})); }

void readyz(Context& context, const CallPtr& call) {
  if (context.closing) refuse(503, "closing", "the server is closing down");
  if (!context.loaded) refuse(503, "loading", "the model is being loaded");
  check_files(context);
  call->respond(json_answer(200, {{"status", "ready"}}));
}

void metrics(Context& context, const CallPtr& call) {
  const Batcher::Figures figures = context.batcher.figures();
  const auto number = [](auto value) { return static_cast<double>(value); };
  std::string text = context.metrics.text();
  text += plain_metric("counter", "memmatch_claims_total", "Claims that were searched for.",
                       number(figures.claims));
  text += plain_metric("counter", "memmatch_batches_total", "Batches that these claims went in.",
                       number(figures.batches));
  text += plain_metric("counter", "memmatch_refused_total",
                       "Requests refused because the queue was full.", number(figures.refused));
  text += plain_metric("counter", "memmatch_engine_busy_seconds_total",
                       "Time that the engine has worked.", figures.busy_seconds);
  text += plain_metric("gauge", "memmatch_queue_claims",
                       "Claims, or work like them, accepted and not finished.",
                       number(figures.waiting));
  text += plain_metric("gauge", "memmatch_ready", "Whether /readyz says so.",
                       is_ready(context) ? 1 : 0);
  if (context.connections) {
    text += plain_metric("gauge", "memmatch_connections", "Open connections.",
                         number(context.connections()));
  }
  text += plain_metric("gauge", "process_resident_memory_bytes", "Resident memory.",
                       number(resident_memory()));
  call->respond({.type = "text/plain; version=0.0.4; charset=utf-8",
                 .body = std::move(text),
                 .headers = {{"Cache-Control", "no-store"}}});
}

void openapi(Context&, const CallPtr& call) {
  static const Json kJson = openapi_json();
  call->respond(json_answer(200, kJson));
}

std::optional<HttpAnswer> page_file(const Call& call) {
  const HttpRequest& request = call.request;
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  if (call.url.path.size() != 1) return std::nullopt;
  const std::string name = call.url.path[0].empty() ? "index.html" : call.url.path[0];
  const std::string_view content = embedded_file("page/" + name);
  if (content.empty()) return std::nullopt;
  const std::string tag = "\"" + to_hex(content_hash(content)) + "\"";
  HttpAnswer answer{.type = std::string(type_of(name)),
                    .headers = {{"Cache-Control", "no-cache"}, {"ETag", tag}}};
  if (request.if_none_match == tag) {
    answer.status = 304;
  } else {
    answer.body = content;
  }
  return answer;
}

}  // namespace memmatch::serve
