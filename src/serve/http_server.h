#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "serve/http.h"

namespace memmatch::serve {

struct ServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: any that is free
  std::size_t most_connections = 1024;
  std::size_t header_bytes = 16 * 1024;
  std::size_t body_bytes = 1 << 20;
  // From the opening of a connection or the last answer to the whole of the next request.
  std::chrono::milliseconds request_time{30'000};
  std::chrono::milliseconds write_time{30'000};
  std::chrono::milliseconds drain_time{30'000};  // of stop()
};

// HTTP/1.1 over TCP: takes requests, hands them to the handler, sends the answers. One thread does
// all of it; what takes long, the handler gives to others. A client that is slow, silent or does
// not speak HTTP costs a connection for `request_time` at most; where there are too many, the one
// that has been waiting longest for the whole of a request is closed, whether nothing of it, a part
// of its headers or a part of its body has come.
class HttpServer {
 public:
  struct Impl;

  // Called from the thread of run(). Must not throw.
  using Handler = std::function<void(HttpRequest, Respond)>;
  // The answer to what never became a request.
  using Refusal = std::function<HttpAnswer(int status, const char* code, const char* message)>;

  // Binds and listens. Throws Error(invalid_argument) for an address that is none, Error(io) where
  // it cannot be had.
  HttpServer(const ServerSettings& settings, Handler handler, Refusal refusal);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  std::size_t connections() const;

  // Serves until stop() has been called and everything accepted is answered or drain_time is over.
  // The Respond functions must not outlive the server.
  void run();

  // From any thread: no new connections, those without a whole request are closed, requests that
  // the handler has are answered, as far as that is possible within drain_time.
  void stop();

  // SIGTERM and SIGINT call `action`; a second signal ends the process at once.
  void on_signal(std::function<void()> action);

 private:
  std::unique_ptr<Impl> impl_;
};

// Whether only this machine can reach the address. Throws Error(invalid_argument).
bool is_loopback(const std::string& address);

}  // namespace memmatch::serve
