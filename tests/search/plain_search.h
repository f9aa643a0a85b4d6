#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/float16.h"
#include "engine/encoder.h"
#include "memmatch/datastore.h"
#include "model/model_files.h"
#include "model/sequences.h"

namespace memmatch::test {

// The three levels once more, as plainly as possible: every sequence written piece by piece and
// encoded alone.
class PlainSearch {
 public:
  explicit PlainSearch(const std::filesystem::path& model)
      : data_(load_model(model)),
        memory_ids_(memory_ids(*data_.memory_vocabulary, data_.tokenizer)) {
    engine_.emplace(data_.weights, engine::Precision::fp32);
    worker_.emplace(*engine_);
  }

  using Ids = std::vector<std::int32_t>;

  Ids pieces(const std::string& text) const {
    Ids ids;
    for (const text::Piece& piece : data_.tokenizer.tokenize(text)) ids.push_back(piece.id);
    return ids;
  }

  static Ids cut(Ids ids, std::size_t length) {
    ids.resize(std::min(ids.size(), length));
    return ids;
  }

  static Ids join(std::initializer_list<Ids> parts) {
    Ids all;
    for (const Ids& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  std::vector<float> encode(const Ids& ids, int level) {
    Ids tokens{2};
    Ids words{0};
    for (const std::int32_t id : cut(ids, kLengths[static_cast<std::size_t>(level - 1)])) {
      tokens.push_back(id);
      words.push_back(memory_ids_[static_cast<std::size_t>(id)]);
    }
    tokens.push_back(3);
    words.push_back(0);
    engine::PackedBatch batch;
    batch.add(tokens, words);
    const auto pooling =
        static_cast<engine::Pooling>(static_cast<int>(engine::Pooling::level1) + level - 1);
    std::vector<float> vector(static_cast<std::size_t>(engine_->dimension(pooling)));
    worker_->encode(batch, pooling, vector);
    return vector;
  }

  static double distance(const std::vector<float>& q, const std::vector<float>& s) {
    double square = 0;
    for (std::size_t i = 0; i < q.size(); ++i)
      square += std::pow(static_cast<double>(q[i]) - s[i] + 1e-6, 2);
    return std::sqrt(square);
  }

  struct Result {
    std::vector<SentenceId> level1;
    std::vector<SentenceId> evidence;
    std::array<double, 3> labels;
  };

  // Letters of the claim's words; the test's texts are small letters and punctuation.
  static std::set<std::string> words(const std::string& text) {
    std::set<std::string> all{""};
    std::string word;
    for (const char c : text + " ") {
      if (std::isalnum(static_cast<unsigned char>(c))) {
        word += static_cast<char>(std::tolower(c));
      } else {
        all.insert(std::exchange(word, ""));
      }
    }
    return all;
  }

  static double shared_letters(const std::string& claim, const std::string& sentence) {
    double letters = 0;
    for (const std::string& word : words(claim))
      if (words(sentence).contains(word)) letters += static_cast<double>(word.size());
    return letters;
  }

  Result search(const std::string& claim, Datastore& store, int k1, int z) {
    const Ids c = cut(pieces("Claim: " + claim), kLengths[0]);
    std::map<SentenceId, Ids> evidence;
    std::map<SentenceId, double> letters;
    std::vector<std::pair<double, SentenceId>> ranked;
    const std::vector<float> query1 = encode(pieces("Claim: " + claim), 1);
    for (const Candidate& candidate : store.cover(claim).sentences) {
      const Sentence sentence = *store.sentence(candidate.id);
      const std::string title = store.document(sentence.document)->title;
      Ids e = cut(pieces("Evidence: " + title + ", sentence " + std::to_string(sentence.number) +
                         ": " + sentence.text),
                  kLengths[0]);
      std::vector<float> vector = encode(e, 1);
      for (float& value : vector) value = float_from_half(half_from_float(value));
      letters[candidate.id] = shared_letters(claim, title + " " + sentence.text);
      ranked.emplace_back(
          distance(query1, vector) - data_.search.word_credit[0] * letters[candidate.id],
          candidate.id);
      evidence[candidate.id] = std::move(e);
    }
    std::sort(ranked.begin(), ranked.end());
    ranked.resize(std::min(ranked.size(), static_cast<std::size_t>(k1)));
    Result result;
    for (const auto& entry : ranked) result.level1.push_back(entry.second);

    const std::vector<float> query2 =
        encode(join({pieces("Consider:"), pieces("Claim: " + claim)}), 2);
    std::vector<std::pair<double, SentenceId>> second;
    for (const SentenceId id : result.level1) {
      second.emplace_back(
          distance(query2, encode(join({pieces("Consider:"), c, evidence[id]}), 2)) -
              data_.search.word_credit[1] * letters[id],
          id);
    }
    std::stable_sort(second.begin(), second.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    second.resize(std::min(second.size(), static_cast<std::size_t>(z)));
    Ids all;
    for (const auto& entry : second) {
      result.evidence.push_back(entry.second);
      all = join({all, evidence[entry.second]});
    }
    const std::vector<float> query3 =
        encode(join({pieces("Predict:"), pieces("Claim: " + claim)}), 3);
    const char* prefixes[] = {"Supports:", "Refutes:", "Unverifiable:"};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto reading = [&](const Ids& read) {
        return distance(query3, encode(join({pieces(prefixes[i]), c, read}), 3));
      };
      result.labels[i] = reading(all);
      if (data_.search.first_alone)
        result.labels[i] = (result.labels[i] + reading(evidence[second[0].second])) / 2;
    }
    return result;
  }

 private:
  static constexpr std::array<std::size_t, 3> kLengths{14, 26, 40};
  ModelData data_;
  std::vector<std::int32_t> memory_ids_;
  std::optional<engine::Engine> engine_;
  std::optional<engine::Worker> worker_;
};

}  // namespace memmatch::test
