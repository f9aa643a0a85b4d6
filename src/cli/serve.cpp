#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/files.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/service_options.h"
#include "cli/verbs.h"
#include "memmatch/error.h"
#include "serve/http_server.h"
#include "serve/service.h"

namespace memmatch::cli {
namespace {

struct Options {
  ServiceArguments service;
  std::string listen = "127.0.0.1:8080";
  std::string token_file;
  std::size_t queue = 128;
  int drain = 20;  // seconds
};

// "127.0.0.1:8080", "[::1]:8080".
serve::ServerSettings parse_listen(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  serve::ServerSettings settings;
  settings.address = text.substr(0, colon);
  if (settings.address.starts_with('[') && settings.address.ends_with(']'))
    settings.address = settings.address.substr(1, settings.address.size() - 2);
  const auto port =
      colon == std::string::npos ? std::nullopt : serve::parse_number(text.substr(colon + 1));
  if (!port || *port > 65535) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("--listen {}: give an address and a port, such as 127.0.0.1:8080", text));
  }
  settings.port = static_cast<std::uint16_t>(*port);
  return settings;
}

std::string read_token(const std::string& file) {
  constexpr std::size_t kShortest = 16;
  if (file.empty()) return {};
  std::string token = read_file(file);
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  const bool plain =
      std::all_of(token.begin(), token.end(), [](char c) { return c > 32 && c < 127; });
  if (token.size() < kShortest || !plain) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: a token has at least {} letters, digits or signs and no blanks; "
                            "'openssl rand -hex 32' makes one",
                            file, kShortest));
  }
  return token;
}

// Connections are open files, and the usual limit is just what the server wants for them alone.
void allow_open_files(std::size_t connections) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const auto wanted = static_cast<rlim_t>(connections + 256);
  limit.rlim_cur = std::min(limit.rlim_max, std::max(limit.rlim_cur, wanted));
  setrlimit(RLIMIT_NOFILE, &limit);
}

serve::ServiceSettings settings_of(const Options& options, bool loopback) {
  serve::ServiceSettings settings = service_settings(options.service, "serve");
  settings.token = read_token(options.token_file);
  settings.loopback = loopback;
  settings.drain_time = std::chrono::seconds(options.drain);
  settings.queue.most_waiting = options.queue;
  if (!loopback && settings.token.empty()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--listen {} can be reached from other machines: that needs a "
                            "--token-file; 'openssl rand -hex 32' makes a token",
                            options.listen));
  }
  return settings;
}

void run(const Options& options) {
  serve::ServerSettings listen = parse_listen(options.listen);
  // The last answers have a few seconds more to get to slow clients.
  listen.drain_time = std::chrono::seconds(options.drain + 5);
  serve::ServiceSettings settings = settings_of(options, serve::is_loopback(listen.address));
  allow_open_files(listen.most_connections);
  serve::Service* handler = nullptr;
  serve::HttpServer server(
      listen,
      [&](serve::HttpRequest request, serve::Respond respond) {
        handler->handle(std::move(request), std::move(respond));
      },
      serve::Service::refusal);
  std::exception_ptr failure;
  const std::string place = fmt::format(
      "http://{}:{}", options.listen.substr(0, options.listen.rfind(':')), server.port());
  if (settings.token.empty()) fmt::print(stderr, "no --token-file: nothing can be changed\n");
  fmt::print(stderr, "{}: loading {}\n", place, options.service.search.model);
  {
    serve::Service service(std::move(settings), [&](std::exception_ptr error) {
      failure = error;
      if (error) return server.stop();
      fmt::print(stderr, "{}: ready\n", place);
    });
    service.tell_connections([&] { return server.connections(); });
    handler = &service;
    server.on_signal([&] {
      fmt::print(stderr, "closing: answering what was accepted\n");
      service.close();
      server.stop();
    });
    server.run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void add_serve(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      program, "serve", "An HTTP API, and a page to ask and correct on",
      "memmatch serve --store facts.db --model models/default\n"
      "memmatch serve --store facts.db --model models/default --exemplars exemplars.db "
      "--token-file "
      "token.txt --listen 0.0.0.0:8080\n"
      "curl -s localhost:8080/v1/verify -H 'Content-Type: application/json' -d '{\"claim\": \"The "
      "Moon has no atmosphere.\"}'");
  add_service_options(*verb, options->service);
  verb->add_option("--listen", options->listen,
                   "Address and port; beyond this machine only with --token-file")
      ->capture_default_str();
  verb->add_option("--token-file", options->token_file,
                   "A file with the token that writes need; without one nothing can be changed")
      ->type_name("FILE");
  verb->add_option("--queue", options->queue,
                   "Claims that may wait before others are refused (429)")
      ->check(whole_number(1, 100'000))
      ->capture_default_str();
  verb->add_option("--drain", options->drain,
                   "Seconds after SIGTERM in which accepted requests are still answered; the rest "
                   "gets 503")
      ->check(whole_number(0, 3600))
      ->capture_default_str();
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
