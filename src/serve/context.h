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
  // How long a change waits for another process that is writing to the file.
  std::chrono::milliseconds change_patience{5'000};
  // After close(), how long what was accepted is still worked on.
  std::chrono::milliseconds drain_time{20'000};
  std::string version;
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

// A request on its way through a route.
struct Call {
  HttpRequest request;
  Url url;
  std::vector<std::string> captures;  // what the pattern's {} stand for
  std::string route = "other";        // for the metrics: the pattern
  bool of_files = false;              // the answer depends on the files that are served
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
  // Service::handle(), for routes that stand on others. From the server's own thread.
  std::function<void(HttpRequest, Respond)> api;
  std::optional<Workbench> bench;   // the engine's thread's, once it is ready
  std::optional<ReadingDesk> desk;  // the server's own thread's

  ReadingDesk& reading_desk() {
    if (!desk) desk.emplace(settings.files);
    return *desk;
  }
};

// Throws RequestError(503) where a file that is served was replaced or removed.
void check_files(const Context& context);

// Answers with the error, whatever it is.
void answer_error(const Context& context, const Call& call, const std::exception_ptr& error);

using StepResult = Batcher::StepResult;
using EngineStep = std::function<StepResult(Workbench&)>;

// Has the engine's thread work at it, step by step; the last one answers the call. Throws
// RequestError(429) where too many are waiting.
void on_engine(Context& context, const CallPtr& call, std::size_t weight, EngineStep step);

// Has the engine's thread make a change to a file and answers with what `change` gives. Where
// another process is writing, this waits for some seconds, and only then refuses (409); the engine
// does not wait meanwhile.
enum class ServedFileName { store, exemplars };
void change_file(Context& context, const CallPtr& call, ServedFileName file, std::size_t weight,
                 std::function<HttpAnswer(Workbench&)> change);

// Has the engine search for claims, together with those of others.
void search_together(Context& context, const CallPtr& call, std::vector<std::string> claims,
                     const SearchOptions& options,
                     std::function<void(Workbench&, std::vector<Verdict>)> done);

}  // namespace memmatch::serve
