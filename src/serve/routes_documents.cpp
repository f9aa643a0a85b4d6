#include <fmt/format.h>

#include <utility>

#include "memmatch/error.h"
#include "serve/answers.h"
#include "serve/router.h"

namespace memmatch::serve {
namespace {

int sentence_number(const Call& call) {
  const std::optional<std::int64_t> number = parse_number(call.captures.at(1));
  if (!number || *number > limits::kSentenceNumber)
    refuse(404, "not_found", fmt::format("'{}' is no sentence number", call.captures[1]));
  return static_cast<int>(*number);
}

const std::string& title_of(const Call& call) {
  const std::string& title = call.captures.at(0);
  if (title.size() > limits::kTextBytes) refuse(422, "invalid_field", "the title is too long");
  return title;
}

Json document_json(Datastore& store, const Document& document) {
  Json json = to_json(document);
  json["sentences"] = to_json(store.sentences(document.id));
  return json;
}

Json titled(const Document& document) {
  return {{"title", document.title}, {"raw_title", document.raw_title}};
}

// What a change of a sentence answers.
Json change_json(const Document& document, const std::optional<Sentence>& sentence,
                 const std::optional<Sentence>& previous) {
  Json json = titled(document);
  if (sentence) json["sentence"] = to_json(*sentence);
  json["previous"] = previous ? to_json(*previous) : Json(nullptr);
  return json;
}

std::optional<Document> find(Datastore& store, const std::string& title) {
  try {
    return store.find_document(title);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found) throw;
  }
  return std::nullopt;
}

// A document that is being replaced: first the texts, then, some at a time, their vectors.
struct Replacing {
  std::string title;
  std::vector<NewSentence> sentences;
  bool replaced = false;
  Document document = {};
  std::optional<std::vector<Sentence>> previous = {};
  std::vector<SentenceId> to_index = {};

  bool step(Workbench& bench);
  HttpAnswer answer(Datastore& store) const;
};

// True when all is indexed.
bool Replacing::step(Workbench& bench) {
  constexpr std::size_t kSentencesAtOnce = 32;
  Datastore& store = bench.verifier.store();
  if (!std::exchange(replaced, true)) {
    const std::optional<Document> known = find(store, title);
    previous = bench.editor->replace(known ? known->raw_title : title, sentences);
    document = store.find_document(known ? known->raw_title : title);
    for (const Sentence& sentence : store.sentences(document.id)) {
      if (!sentence.text.empty()) to_index.push_back(sentence.id);
    }
  }
  for (std::size_t i = 0; i < kSentencesAtOnce && !to_index.empty(); ++i) {
    bench.verifier.index_sentence(to_index.back());
    to_index.pop_back();
  }
  return to_index.empty();
}

HttpAnswer Replacing::answer(Datastore& store) const {
  return json_answer(previous ? 200 : 201,
                     {{"document", document_json(store, document)},
                      {"previous", previous ? to_json(*previous) : Json(nullptr)}});
}

// Does `change` on the engine's thread and answers with what it gives.
void change(Context& context, const CallPtr& call, std::function<HttpAnswer(Workbench&)> change) {
  on_engine(context, call, 1, [call, change = std::move(change)](Workbench& bench) {
    call->respond(change(bench));
    return true;
  });
}

}  // namespace

void list_documents(Context& context, const CallPtr& call) {
  const Parameters parameters(call->url, {"query", "limit", "offset"});
  const auto limit = static_cast<int>(parameters.integer("limit", 20, 1, 100));
  const auto offset = static_cast<int>(parameters.integer("offset", 0, 0, 10'000));
  const std::string_view query = parameters.find("query").value_or("");
  std::vector<Document> found = context.reading_desk().titles.find(query, limit + 1, offset);
  const bool more = found.size() > static_cast<std::size_t>(limit);
  if (more) found.pop_back();
  Json documents = Json::array();
  for (const Document& document : found) documents.push_back(to_json(document));
  call->respond(json_answer(200, {{"documents", std::move(documents)}, {"more", more}}));
}

void get_document(Context& context, const CallPtr& call) {
  Datastore& store = context.reading_desk().store;
  const Datastore::Snapshot snapshot = store.snapshot();
  const Document document = store.find_document(title_of(*call));
  call->respond(json_answer(200, document_json(store, document)));
}

void get_sentence(Context& context, const CallPtr& call) {
  Datastore& store = context.reading_desk().store;
  const int number = sentence_number(*call);
  const Datastore::Snapshot snapshot = store.snapshot();
  const Document document = store.find_document(title_of(*call));
  const std::optional<Sentence> sentence = store.sentence(document.id, number);
  if (!sentence)
    refuse(404, "not_found", fmt::format("'{}' has no sentence {}", document.title, number));
  Json json = titled(document);
  json["sentence"] = to_json(*sentence);
  call->respond(json_answer(200, json));
}

void put_document(Context& context, const CallPtr& call) {
  const auto work = std::make_shared<Replacing>(
      Replacing{title_of(*call), parse_document(std::move(call->request.body))});
  on_engine(context, call, 1 + work->sentences.size() / 100, [call, work](Workbench& bench) {
    if (!work->step(bench)) return false;
    call->respond(work->answer(bench.verifier.store()));
    return true;
  });
}

void delete_document(Context& context, const CallPtr& call) {
  change(context, call, [title = title_of(*call)](Workbench& bench) {
    Datastore& store = bench.verifier.store();
    const Document document = store.find_document(title);
    Json json = titled(document);
    json["previous"] = to_json(store.delete_document(document.raw_title));
    return json_answer(200, json);
  });
}

void post_sentence(Context& context, const CallPtr& call) {
  const SentenceRequest request = parse_sentence(std::move(call->request.body), true);
  change(context, call, [title = title_of(*call), request](Workbench& bench) {
    Datastore& store = bench.verifier.store();
    const Sentence sentence = store.add_sentence(title, request.number, request.text);
    bench.verifier.index_sentence(sentence.id);
    return json_answer(201, change_json(store.document_of(sentence), sentence, std::nullopt));
  });
}

void put_sentence(Context& context, const CallPtr& call) {
  const SentenceRequest request = parse_sentence(std::move(call->request.body), false);
  const int number = sentence_number(*call);
  change(context, call, [title = title_of(*call), number, request](Workbench& bench) {
    Datastore& store = bench.verifier.store();
    const Document document = store.find_document(title);
    const std::optional<Sentence> previous = store.sentence(document.id, number);
    const Sentence sentence = previous
                                  ? store.edit_sentence(document.raw_title, number, request.text)
                                  : store.add_sentence(document.raw_title, number, request.text);
    bench.verifier.index_sentence(sentence.id);
    return json_answer(previous ? 200 : 201, change_json(document, sentence, previous));
  });
}

void delete_sentence(Context& context, const CallPtr& call) {
  const int number = sentence_number(*call);
  change(context, call, [title = title_of(*call), number](Workbench& bench) {
    Datastore& store = bench.verifier.store();
    const Document document = store.find_document(title);
    const std::vector<Sentence> gone = store.delete_sentence(document.raw_title, number);
    return json_answer(200, change_json(document, std::nullopt, gone.front()));
  });
}

}  // namespace memmatch::serve
