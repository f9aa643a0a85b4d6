#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <thread>

#include "serve/context.h"
#include "serve/http.h"

namespace memmatch::serve {

// All of the API behind one function, without a network. The model is loaded and run by a thread of
// its own; until it is ready, requests are answered 503.
class Service {
 public:
  // `loaded` is called by that thread, with what went wrong or with nothing.
  Service(ServiceSettings settings, std::function<void(std::exception_ptr)> loaded);

  // Answers what was accepted, then ends.
  ~Service();

  // From one thread at a time. Does not throw; answers from this or the engine's thread.
  void handle(HttpRequest request, Respond respond);

  // The answer to what never became a request, for HttpServer.
  static HttpAnswer refusal(int status, const char* code, const char* message);

  // No longer ready: for the time of draining.
  void close();

  // How many connections there are, for /metrics. Set before anything is handled.
  void tell_connections(std::function<std::size_t()> connections);

 private:
  void work(const std::function<void(std::exception_ptr)>& loaded);
  void dispatch(const CallPtr& call, std::string& route_name);

  Context context_;
  std::thread engine_;
};

}  // namespace memmatch::serve
