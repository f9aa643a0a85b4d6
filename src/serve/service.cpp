#include "serve/service.h"

#include <chrono>
#include <utility>

#include "base/signals_wait.h"
#include "serve/access.h"
#include "serve/answers.h"
#include "serve/router.h"

namespace memmatch::serve {
namespace {

// What every answer says to browsers.
void add_headers(HttpAnswer& answer) {
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"X-Content-Type-Options", "nosniff"},
           {"X-Frame-Options", "DENY"},
           {"Content-Security-Policy",
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
            "object-src 'none'"},
           {"Cross-Origin-Resource-Policy", "same-origin"},
           {"Referrer-Policy", "no-referrer"}}) {
    answer.headers.emplace_back(name, value);
  }
}

ServiceSettings checked(ServiceSettings settings) {
  check_defaults(settings.defaults);
  return settings;
}

void check_loaded(const Context& context) {
  if (!context.loaded) refuse(503, "loading", "the model is being loaded; try again in a moment");
}

}  // namespace

Service::Service(ServiceSettings settings, std::function<void(std::exception_ptr)> loaded)
    : context_(checked(std::move(settings))),
      engine_([this, loaded = std::move(loaded)] { work(loaded); }) {
  context_.api = [this](HttpRequest request, Respond respond) {
    handle(std::move(request), std::move(respond));
  };
}

Service::~Service() {
  close();
  engine_.join();
}

void Service::work(const std::function<void(std::exception_ptr)>& loaded) {
  const SignalsWait wait;  // they are for the server's own thread, not for the engine's
  try {
    context_.bench.emplace(context_.settings.files, context_.settings.verifier);
  } catch (...) {
    loaded(std::current_exception());
    return;
  }
  context_.loaded = true;
  loaded(nullptr);
  context_.batcher.run([this](std::span<const std::string> claims, const SearchOptions& options) {
    return context_.bench->verifier.verify(claims, options);
  });
}

void Service::close() {
  context_.closing = true;
  context_.batcher.close(Batcher::Clock::now() + context_.settings.drain_time);
}

void Service::tell_connections(std::function<std::size_t()> connections) {
  context_.connections = std::move(connections);
}

HttpAnswer Service::refusal(int status, const char* code, const char* message) {
  HttpAnswer answer = error_answer({status, code, message});
  add_headers(answer);
  return answer;
}

void Service::dispatch(const CallPtr& call) {
  call->url = parse_url(call->request.target);
  Match found = match(call->request.method, call->url.path);
  if (!found.route) return answer_page(call, found.allowed);
  call->route = found.route->pattern;
  check_access(call->request, found.route->access, context_.settings);
  if (!found.route->before_ready) {
    check_loaded(context_);
    check_files(context_);
    call->of_files = true;
  }
  call->captures = std::move(found.captures);
  found.route->handle(context_, call);
}

// What is no route is a file of the page, or nothing. `allowed`: what the path's routes take.
void Service::answer_page(const CallPtr& call, const std::string& allowed) {
  check_access(call->request, Access::open, context_.settings);
  if (std::optional<HttpAnswer> page = page_file(*call)) {
    call->route = "page";
    return call->respond(*std::move(page));
  }
  if (allowed.empty()) refuse(404, "not_found", "there is no such route; /openapi.json lists them");
  HttpAnswer answer =
      error_answer({405, "method_not_allowed", "this route takes " + allowed + " only"});
  answer.headers.emplace_back("Allow", allowed);
  call->respond(std::move(answer));
}

void Service::handle(HttpRequest request, Respond respond) {
  const auto call = std::make_shared<Call>();
  const auto start = std::chrono::steady_clock::now();
  call->request = std::move(request);
  // It is the call's own function: it lives no longer than the call, and must not keep it.
  call->respond = [this, &call = *call, start, respond = std::move(respond)](HttpAnswer answer) {
    // The files may have gone while it was being worked on.
    if (call.of_files && answer.status < 400 && !context_.bench->files_in_place())
      answer = error_answer(file_replaced());
    add_headers(answer);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    context_.metrics.count(call.route, answer.status, time.count());
    respond(std::move(answer));
  };
  try {
    dispatch(call);
  } catch (...) {
    answer_error(context_, *call, std::current_exception());
  }
}

}  // namespace memmatch::serve
