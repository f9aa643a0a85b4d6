#include "serve/answers.h"

#include "memmatch/error.h"

namespace memmatch::serve {
namespace {

void erase_all(std::string& text, const std::string& part) {
  if (part.empty()) return;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

std::string without_files(std::string message, const Files& files) {
  for (const std::string& file : {files.store, files.exemplars, files.model}) {
    if (file.empty()) continue;
    erase_all(message, file + ": ");
    erase_all(message, file);
  }
  return message;
}

RequestError from_error(const Error& error, const ServiceSettings& settings) {
  const std::string message = without_files(error.what(), settings.files);
  switch (error.kind()) {
    case ErrorKind::invalid_argument:
      return {422, "invalid_field", message};
    case ErrorKind::not_found:
      return {404, "not_found", message};
    case ErrorKind::conflict:
      return {409, "conflict", message};
    case ErrorKind::full:
      settings.log(error.what());
      return {507, "disk_full", "the server's disk is full; nothing was changed"};
    case ErrorKind::unsupported:  // a file of the server's that this version cannot read
    case ErrorKind::corrupt:
    case ErrorKind::io:
      break;
  }
  settings.log(error.what());
  return {500, "internal", "reading or writing failed; the server's log says more"};
}

}  // namespace

HttpAnswer json_answer(int status, const Json& body) {
  return {.status = status,
          .body = body.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n",
          .headers = {{"Cache-Control", "no-store"}}};
}

HttpAnswer error_answer(const RequestError& error) {
  HttpAnswer answer =
      json_answer(error.status, {{"error", {{"code", error.code}, {"message", error.message}}}});
  if (error.status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (error.status == 503) answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

RequestError file_replaced() {
  return {503, "file_replaced",
          "the file of the datastore or of the exemplars was replaced or removed while it was "
          "being served; restart the server"};
}

RequestError public_error(const std::exception_ptr& error, const ServiceSettings& settings) {
  try {
    std::rethrow_exception(error);
  } catch (const RequestError& known) {
    return known;
  } catch (const Error& known) {
    return from_error(known, settings);
  } catch (const std::exception& other) {
    settings.log(other.what());
  }
  return {500, "internal", "something went wrong; the server's log says more"};
}

Json to_json(const Sentence& sentence) {
  return {{"id", sentence.id},
          {"number", sentence.number},
          {"text", sentence.text},
          {"edited", sentence.edited()},
          {"added", !sentence.imported.has_value()},
          {"revision", sentence.revision}};
}

Json to_json(const std::vector<Sentence>& sentences) {
  Json all = Json::array();
  for (const Sentence& sentence : sentences) all.push_back(to_json(sentence));
  return all;
}

Json to_json(const Document& document) {
  return {{"id", document.id}, {"title", document.title}, {"raw_title", document.raw_title}};
}

void answer_error(const Context& context, const Call& call, const std::exception_ptr& error) {
  HttpAnswer answer = error_answer(public_error(error, context.settings));
  if (answer.status == 429) {
    answer.headers.emplace_back("Retry-After", std::to_string(context.batcher.seconds_to_wait()));
  }
  call.respond(std::move(answer));
}

namespace {

void accept(Context& context, bool accepted) {
  if (accepted) return;
  if (context.closing) refuse(503, "closing", "the server is closing down");
  refuse(429, "overloaded", "too many claims are waiting; try again later");
}

}  // namespace

void check_files(const Context& context) {
  if (!context.bench->files_in_place()) throw file_replaced();
}

void on_engine(Context& context, const CallPtr& call, std::size_t weight, EngineStep step) {
  accept(context, context.batcher.work(
                      weight, [&context, step = std::move(step)] { return step(*context.bench); },
                      [&context, call](const std::exception_ptr& error) {
                        answer_error(context, *call, error);
                      }));
}

void change_file(Context& context, const CallPtr& call, ServedFileName name, std::size_t weight,
                 std::function<HttpAnswer(Workbench&)> change) {
  using Clock = Batcher::Clock;
  const auto file_of = [name](Workbench& bench) -> ServedFile& {
    return name == ServedFileName::store ? bench.store_file : *bench.exemplars_file;
  };
  if (!file_of(*context.bench).writable())
    refuse(403, "forbidden", "the server may not write to this file any more");
  const auto patience = context.settings.change_patience;
  std::optional<Clock::time_point> give_up;  // known when it first has to wait
  on_engine(
      context, call, weight,
      [call, file_of, patience, give_up, change = std::move(change)](Workbench& bench) mutable {
        if (!file_of(bench).in_place()) throw file_replaced();
        if (file_of(bench).free_to_write()) {
          call->respond(change(bench));
          return StepResult::done;
        }
        if (!give_up) give_up = Clock::now() + patience;
        if (Clock::now() < *give_up) return StepResult::blocked;
        refuse(409, "conflict", "another process is writing; try again when it has finished");
      });
}

void search_together(Context& context, const CallPtr& call, std::vector<std::string> claims,
                     const SearchOptions& options,
                     std::function<void(Workbench&, std::vector<Verdict>)> done) {
  accept(context, context.batcher.verify(
                      std::move(claims), options,
                      [&context, done = std::move(done)](std::vector<Verdict> verdicts) {
                        done(*context.bench, std::move(verdicts));
                      },
                      [&context, call](const std::exception_ptr& error) {
                        answer_error(context, *call, error);
                      }));
}

}  // namespace memmatch::serve
