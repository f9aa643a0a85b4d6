#include <fmt/format.h>

#include <span>
#include <utility>

#include "memmatch/error.h"
#include "serve/answers.h"
#include "serve/router.h"
#include "serve/weight.h"

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

// Makes the vectors of sentences that were changed. The change is committed by then and stays
// confirmed: a vector that could not be made or kept is made when it is first needed.
void index(const Context& context, Workbench& bench, std::span<const SentenceId> ids) {
  try {
    bench.verifier.index_sentences(ids);
  } catch (const Error& error) {
    context.settings.log(error.what());
  }
}

// The document gets these sentences and no others, and all of their vectors at once.
HttpAnswer replace_document(const Context& context, Workbench& bench, const std::string& title,
                            const DocumentRequest& request) {
  Datastore& store = *bench.store;
  const std::optional<Document> known = find(store, title);
  if (known && !request.replace) {
    refuse(
        409, "conflict",
        fmt::format("there is a document '{}' already; 'replace': true replaces it", known->title));
  }
  const std::string raw_title = known ? known->raw_title : title;
  const auto previous = bench.editor->replace(raw_title, request.sentences);
  const Document document = store.find_document(raw_title);
  std::vector<SentenceId> to_index;
  for (const Sentence& sentence : store.sentences(document.id)) {
    if (!sentence.text.empty()) to_index.push_back(sentence.id);
  }
  index(context, bench, to_index);
  return json_answer(previous ? 200 : 201,
                     {{"document", document_json(store, document)},
                      {"previous", previous ? to_json(*previous) : Json(nullptr)}});
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
  DocumentRequest request = parse_document(std::move(call->request.body));
  std::size_t sequences = 0;
  for (const NewSentence& sentence : request.sentences)
    sequences += sequences_of(sentence.text, kBytesOfASupport);
  change_file(context, call, ServedFileName::store, weight_of(sequences),
              [&context, title = title_of(*call), request = std::move(request)](Workbench& bench) {
                return replace_document(context, bench, title, request);
              });
}

void delete_document(Context& context, const CallPtr& call) {
  change_file(context, call, ServedFileName::store, 1, [title = title_of(*call)](Workbench& bench) {
    Datastore& store = *bench.store;
    const Document document = store.find_document(title);
    Json json = titled(document);
    json["previous"] = to_json(store.delete_document(document.raw_title));
    return json_answer(200, json);
  });
}

void post_sentence(Context& context, const CallPtr& call) {
  const SentenceRequest request = parse_sentence(std::move(call->request.body), true);
  change_file(context, call, ServedFileName::store, 1,
              [&context, title = title_of(*call), request](Workbench& bench) {
                Datastore& store = *bench.store;
                const Sentence sentence = store.add_sentence(title, request.number, request.text);
                index(context, bench, {&sentence.id, 1});
                return json_answer(
                    201, change_json(store.document_of(sentence), sentence, std::nullopt));
              });
}

void put_sentence(Context& context, const CallPtr& call) {
  const SentenceRequest request = parse_sentence(std::move(call->request.body), false);
  const int number = sentence_number(*call);
  change_file(context, call, ServedFileName::store, 1,
              [&context, title = title_of(*call), number, request](Workbench& bench) {
                Datastore& store = *bench.store;
                const Document document = store.find_document(title);
                const std::optional<Sentence> previous = store.sentence(document.id, number);
                const Sentence sentence =
                    previous ? store.edit_sentence(document.raw_title, number, request.text)
                             : store.add_sentence(document.raw_title, number, request.text);
                index(context, bench, {&sentence.id, 1});
                return json_answer(previous ? 200 : 201, change_json(document, sentence, previous));
              });
}

void delete_sentence(Context& context, const CallPtr& call) {
  const int number = sentence_number(*call);
  change_file(
      context, call, ServedFileName::store, 1, [title = title_of(*call), number](Workbench& bench) {
        Datastore& store = *bench.store;
        const Document document = store.find_document(title);
        const std::vector<Sentence> gone = store.delete_sentence(document.raw_title, number);
        return json_answer(200, change_json(document, std::nullopt, gone.front()));
      });
}

}  // namespace memmatch::serve
