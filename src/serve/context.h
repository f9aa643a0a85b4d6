#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/batcher.h"
#include "serve/http.h"
#include "serve/metrics.h"
#include "serve/requests.h"
#include "serve/url.h"
#include "serve/workbench.h"

// What the routes have in common.

namespace memmatch::serve {

struct ServiceSettings {
  Files files;
  Verifier::Settings verifier;
  Defaults defaults;
  std::string token;     // empty: writes are refused
  bool loopback = true;  // only this machine can reach the server
  Batcher::Settings queue;
  std::string version;
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

// A request on its way through a route.
struct Call {
  HttpRequest request;
  Url url;
  std::vector<std::string> captures;  // what the pattern's {} stand for
  Respond respond;
};
using CallPtr = std::shared_ptr<Call>;

struct Context {
  explicit Context(ServiceSettings from) : settings(std::move(from)), batcher(settings.queue) {}

  const ServiceSettings settings;
  std::atomic<bool> loaded = false;  // `bench` is there
  std::atomic<bool> closing = false;
  Batcher batcher;
  Metrics metrics;
  std::function<std::size_t()> connections;  // may be empty
  std::optional<Workbench> bench;            // the engine's thread's, once it is ready
  std::optional<ReadingDesk> desk;           // the server's own thread's

  ReadingDesk& reading_desk() {
    if (!desk) desk.emplace(settings.files);
    return *desk;
  }
};

// Answers with the error, whatever it is.
void answer_error(const Context& context, const Call& call, const std::exception_ptr& error);

// Has the engine's thread work at it, step by step; `step` answers the call. Throws
// RequestError(429) where too many are waiting.
void on_engine(Context& context, const CallPtr& call, std::size_t weight,
               std::function<bool(Workbench&)> step);

// The same for claims.
void search_together(Context& context, const CallPtr& call, std::vector<std::string> claims,
                     const SearchOptions& options,
                     std::function<void(Workbench&, std::vector<Verdict>)> done);

}  // namespace memmatch::serve
