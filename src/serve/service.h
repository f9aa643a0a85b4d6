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
  // `loaded` is called by that thread, with what went wrong or with nothing. Throws
  // Error(invalid_argument) where the defaults are beyond the limits of a request.
  Service(ServiceSettings settings, std::function<void(std::exception_ptr)> loaded);

  // As close(), then ends.
  ~Service();

  // From one thread at a time. Does not throw; answers from this or the engine's thread.
  void handle(HttpRequest request, Respond respond);

  // The answer to what never became a request, for HttpServer.
  static HttpAnswer refusal(int status, const char* code, const char* message);

  // No longer ready. What was accepted is worked on for the settings' drain_time; what is still
  // waiting then is answered 503.
  void close();

  // How many connections there are, for /metrics. Set before anything is handled.
  void tell_connections(std::function<std::size_t()> connections);

 private:
  void work(const std::function<void(std::exception_ptr)>& loaded);
  void dispatch(const CallPtr& call);
  void answer_page(const CallPtr& call, const std::string& allowed);

  Context context_;
  std::thread engine_;
};

}  // namespace memmatch::serve
