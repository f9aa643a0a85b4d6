#include "serve/http_server.h"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <iterator>
#include <list>
#include <optional>
#include <utility>

#include "memmatch/error.h"

// Boost.Beast and not cpp-httplib: the latter gives each connection a thread of its pool and has
// timeouts for single reads, so that a few slow clients keep all others out.

namespace memmatch::serve {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

namespace {

class Session;

asio::ip::address parse_address(const std::string& text) {
  boost::system::error_code error;
  asio::ip::address address = asio::ip::make_address(text, error);
  if (error) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' is no IP address; give one such as 127.0.0.1 or [::1]", text));
  }
  return address;
}

HttpRequest to_request(const http::request<http::string_body>& message) {
  const auto header = [&](http::field field) { return std::string(message[field]); };
  return {.method = std::string(message.method_string()),
          .target = std::string(message.target()),
          .host = header(http::field::host),
          .authorization = header(http::field::authorization),
          .content_type = header(http::field::content_type),
          .content_encoding = header(http::field::content_encoding),
          .origin = header(http::field::origin),
          .fetch_site = std::string(message["Sec-Fetch-Site"]),
          .if_none_match = header(http::field::if_none_match),
          .body = {},
          .protocol_version = std::string(message["MCP-Protocol-Version"])};
}

}  // namespace

struct HttpServer::Impl {
  Impl(const ServerSettings& from, Handler handle_with, Refusal refuse_with)
      : settings(from),
        handler(std::move(handle_with)),
        refusal(std::move(refuse_with)),
        acceptor(io),
        pause(io),
        drain(io),
        signals(io) {}

  ~Impl() { going = true; }

  void listen();
  void accept();
  void take(tcp::socket socket);
  void close_down();
  void session_ended();

  ServerSettings settings;
  Handler handler;
  Refusal refusal;
  // Connections that are still there go with `io`, and need these.
  std::list<Session*> idle;  // waiting for the whole of a request, longest first
  std::atomic<std::size_t> sessions = 0;
  bool stopping = false;
  bool going = false;
  asio::io_context io{1};
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  asio::steady_timer drain;
  asio::signal_set signals;
};

namespace {

// A connection. Lives as long as an operation on it, or the handler, holds it.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, HttpServer::Impl& server)
      : server_(server),
        stream_(std::move(socket)),
        buffer_(server.settings.header_bytes + kReadAtOnce) {
    ++server_.sessions;
  }
  ~Session() {
    set_idle(false);
    server_.session_ended();
  }

  void read();
  void refuse(int status, const char* code, const char* message) {
    set_idle(false);
    keep_alive_ = false;
    write(server_.refusal(status, code, message));
  }
  void close() {
    set_idle(false);
    stream_.close();
  }

 private:
  static constexpr std::size_t kReadAtOnce = 16 * 1024;

  void on_header(beast::error_code error);
  void read_body();
  void on_body(beast::error_code error);
  void handle();
  void write(HttpAnswer answer);
  void on_written(beast::error_code error);
  void discard();
  void set_idle(bool idle);
  bool refused(beast::error_code error);

  HttpServer::Impl& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  std::optional<http::response<http::empty_body>> go_on_;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> working_;
  std::optional<std::list<Session*>::iterator> idle_;
  std::array<char, 4096> discarded_{};
  bool keep_alive_ = true;
  bool head_ = false;
};

void Session::set_idle(bool idle) {
  if (idle_) server_.idle.erase(*idle_);
  idle_.reset();
  if (idle) idle_ = server_.idle.insert(server_.idle.end(), this);
}

void Session::read() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(server_.settings.header_bytes));
  parser_->body_limit(server_.settings.body_bytes);
  head_ = false;
  set_idle(true);
  stream_.expires_after(server_.settings.request_time);
  http::async_read_header(stream_, buffer_, *parser_,
                          [self = shared_from_this()](beast::error_code error, std::size_t) {
                            self->on_header(error);
                          });
}

// True where the error ends the request: answered if there is something to say and somebody to say
// it to.
bool Session::refused(beast::error_code error) {
  if (!error) return false;
  if (error == http::error::body_limit) {
    refuse(413, "too_large", "the body is larger than the server takes");
  } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    refuse(431, "too_large", "the headers are larger than the server takes");
  } else if (error.category() == http::make_error_code(http::error::bad_version).category() &&
             error != http::error::end_of_stream && error != http::error::partial_message) {
    refuse(400, "bad_request", "this is not HTTP/1.1");
  }
  return true;
}

// HTTP/1.1 wants one Host. A second one might be what somebody before us has looked at.
bool has_one_host(const http::request<http::string_body>& message) {
  const auto [begin, end] = message.equal_range(http::field::host);
  const auto count = std::distance(begin, end);
  if (message.version() < 11) return count <= 1;
  return count == 1 && !begin->value().empty();
}

void Session::on_header(beast::error_code error) {
  if (refused(error)) return;
  if (!has_one_host(parser_->get()))
    return refuse(400, "bad_request", "a request must have one Host header");
  head_ = parser_->get().method() == http::verb::head;
  if (!beast::iequals(parser_->get()[http::field::expect], "100-continue")) return read_body();
  go_on_.emplace(http::status::continue_, 11);
  http::async_write(stream_, *go_on_,
                    [self = shared_from_this()](beast::error_code failed, std::size_t) {
                      if (!failed) self->read_body();
                    });
}

void Session::read_body() {
  http::async_read(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](beast::error_code error, std::size_t) { self->on_body(error); });
}

void Session::on_body(beast::error_code error) {
  if (!refused(error)) handle();
}

void Session::handle() {
  set_idle(false);
  keep_alive_ = parser_->get().keep_alive();
  HttpRequest request = to_request(parser_->get());
  request.body = std::move(parser_->get().body());
  stream_.expires_never();
  working_.emplace(server_.io.get_executor());
  // Whoever keeps the function after calling it does not keep the connection.
  auto holder = std::make_shared<std::shared_ptr<Session>>(shared_from_this());
  server_.handler(std::move(request), [holder = std::move(holder)](HttpAnswer answer) {
    std::shared_ptr<Session> self = std::exchange(*holder, nullptr);
    if (!self) return;
    asio::io_context& io = self->server_.io;
    asio::post(io, [self = std::move(self), answer = std::move(answer)]() mutable {
      self->write(std::move(answer));
    });
  });
}

void Session::write(HttpAnswer answer) {
  working_.reset();
  keep_alive_ = keep_alive_ && !server_.stopping;
  response_.emplace(static_cast<http::status>(answer.status), 11);
  response_->set(http::field::server, "memmatch");
  response_->set(http::field::content_type, answer.type);
  for (const auto& [name, value] : answer.headers) response_->set(name, value);
  // Of a body that the client has nothing is said.
  if (answer.status != 304) response_->content_length(answer.body.size());
  response_->keep_alive(keep_alive_);
  if (!head_) response_->body() = std::move(answer.body);
  stream_.expires_after(server_.settings.write_time);
  http::async_write(stream_, *response_,
                    [self = shared_from_this()](beast::error_code error, std::size_t) {
                      self->on_written(error);
                    });
}

void Session::on_written(beast::error_code error) {
  response_.reset();
  if (error) return;
  if (keep_alive_ && !server_.stopping) return read();
  stream_.socket().shutdown(tcp::socket::shutdown_send, error);
  stream_.expires_after(std::chrono::seconds(1));
  discard();
}

// A connection that is closed while the client still sends takes the answer with it: what comes is
// read and forgotten, for a moment.
void Session::discard() {
  stream_.async_read_some(asio::buffer(discarded_),
                          [self = shared_from_this()](beast::error_code error, std::size_t) {
                            if (!error) self->discard();
                          });
}

}  // namespace

void HttpServer::Impl::listen() {
  const tcp::endpoint endpoint(parse_address(settings.address), settings.port);
  try {
    acceptor.open(endpoint.protocol());
    acceptor.set_option(asio::socket_base::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen(1024);
  } catch (const boost::system::system_error& error) {
    throw Error(ErrorKind::io, fmt::format("cannot listen on {}, port {}: {}", settings.address,
                                           settings.port, error.code().message()));
  }
}

void HttpServer::Impl::accept() {
  acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted || stopping) return;
    if (!error) {
      take(std::move(socket));
      return accept();
    }
    // Such as too many open files: it passes.
    pause.expires_after(std::chrono::milliseconds(100));
    pause.async_wait([this](beast::error_code cancelled) {
      if (!cancelled) accept();
    });
  });
}

void HttpServer::Impl::take(tcp::socket socket) {
  constexpr std::size_t kRefusedAtOnce = 64;
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  const bool full = sessions >= settings.most_connections;
  if (full && !idle.empty()) {
    idle.front()->close();
  } else if (full) {
    if (sessions >= settings.most_connections + kRefusedAtOnce) return;
    std::make_shared<Session>(std::move(socket), *this)
        ->refuse(503, "too_many_connections", "all connections are taken; try again");
    return;
  }
  std::make_shared<Session>(std::move(socket), *this)->read();
}

void HttpServer::Impl::session_ended() {
  if (--sessions == 0 && stopping && !going) drain.cancel();
}

void HttpServer::Impl::close_down() {
  if (stopping) return;
  stopping = true;
  boost::system::error_code ignored;
  acceptor.close(ignored);
  pause.cancel();
  signals.cancel();
  while (!idle.empty()) idle.front()->close();
  if (sessions == 0) return;
  drain.expires_after(settings.drain_time);
  drain.async_wait([this](beast::error_code cancelled) {
    if (!cancelled) io.stop();
  });
}

HttpServer::HttpServer(const ServerSettings& settings, Handler handler, Refusal refusal)
    : impl_(std::make_unique<Impl>(settings, std::move(handler), std::move(refusal))) {
  impl_->listen();
}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }

std::size_t HttpServer::connections() const { return impl_->sessions; }

void HttpServer::run() {
  impl_->accept();
  impl_->io.run();
}

void HttpServer::stop() {
  asio::post(impl_->io, [impl = impl_.get()] { impl->close_down(); });
}

void HttpServer::on_signal(std::function<void()> action) {
  impl_->signals.add(SIGTERM);
  impl_->signals.add(SIGINT);
  impl_->signals.async_wait([this, action = std::move(action)](beast::error_code error, int) {
    if (error) return;
    boost::system::error_code ignored;
    impl_->signals.clear(ignored);  // the next one does what signals do
    action();
  });
}

bool is_loopback(const std::string& address) { return parse_address(address).is_loopback(); }

}  // namespace memmatch::serve
