#pragma once

#include <future>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "memmatch/exemplars.h"
#include "schema.h"
#include "search/search_world.h"
#include "serve/service.h"
#include "serve/url.h"

namespace memmatch::test {

inline constexpr const char* kToken = "0123456789abcdef-token";

// A Service on a small store and model, called without a network. Every answer is compared with
// what /openapi.json says of its route.
class ServedWorld {
 public:
  using Json = nlohmann::json;

  struct Answer {
    int status = 0;
    Json json;  // null where the body is no JSON
    serve::HttpAnswer raw;
  };

  explicit ServedWorld(bool with_exemplars = true, bool read_only = false) {
    Datastore store = Datastore::open(folder_ / "s.db", Datastore::Access::create);
    import_all(store, random_documents(40, 1));
    settings_.files = {(folder_ / "s.db").string(), small_model(folder_).string(),
                       with_exemplars ? (folder_ / "e.db").string() : ""};
    if (read_only && with_exemplars)
      Exemplars::open(settings_.files.exemplars, Exemplars::Access::create);
    settings_.verifier = {.threads = 1, .read_only = read_only};
    settings_.defaults.search.k1 = 6;
    settings_.defaults.search.z = 3;
    settings_.token = kToken;
    settings_.version = "test";
  }

  serve::ServiceSettings& settings() { return settings_; }

  // Made with the first use; ready when it is there.
  serve::Service& service() {
    if (service_) return *service_;
    std::promise<std::exception_ptr> loaded;
    service_.emplace(settings_, [&](std::exception_ptr error) { loaded.set_value(error); });
    if (const std::exception_ptr error = loaded.get_future().get()) std::rethrow_exception(error);
    description_ = Json::parse(answer(service_.value(), request("GET", "/openapi.json")).body);
    return *service_;
  }

  static serve::HttpRequest request(const std::string& method, const std::string& target,
                                    const std::string& body = "") {
    return {.method = method,
            .target = target,
            .host = "localhost:8080",
            .authorization = std::string("Bearer ") + kToken,
            .content_type = body.empty() ? "" : "application/json",
            .content_encoding = "",
            .origin = "",
            .fetch_site = "",
            .if_none_match = "",
            .body = body};
  }

  static serve::HttpAnswer answer(serve::Service& service, serve::HttpRequest request) {
    std::promise<serve::HttpAnswer> promise;
    service.handle(std::move(request),
                   [&](serve::HttpAnswer answer) { promise.set_value(std::move(answer)); });
    return promise.get_future().get();
  }

  Answer send(const serve::HttpRequest& request) {
    serve::Service& service = this->service();
    Answer result;
    result.raw = answer(service, request);
    result.status = result.raw.status;
    result.json = Json::parse(result.raw.body, nullptr, false);
    if (result.json.is_discarded()) result.json = nullptr;
    check(request, result);
    return result;
  }
  Answer call(const std::string& method, const std::string& target, const std::string& body = "") {
    return send(request(method, target, body));
  }
  Answer call(const std::string& method, const std::string& target, const char* body) {
    return call(method, target, std::string(body));
  }
  Answer call(const std::string& method, const std::string& target, const Json& body) {
    return call(method, target, body.dump());
  }

  // Routes of the description that have been called with success, as "get /v1/info".
  const std::set<std::string>& covered() const { return covered_; }
  const Json& description() const { return description_; }
  std::filesystem::path store_file() const { return settings_.files.store; }

 private:
  // The template of the description that the target belongs to; empty for none.
  std::string template_of(const std::string& target) const {
    const auto path = serve::parse_url(target).path;
    for (const auto& [name, operations] : description_["paths"].items()) {
      const auto parts = serve::parse_url(name).path;
      bool fits = parts.size() == path.size();
      for (std::size_t i = 0; fits && i < parts.size(); ++i)
        fits = parts[i].starts_with('{') ? !path[i].empty() : parts[i] == path[i];
      if (fits) return name;
    }
    return "";
  }

  void check(const serve::HttpRequest& request, const Answer& answer) {
    if (answer.status >= 400) {
      ASSERT_TRUE(answer.json.contains("error")) << answer.raw.body;
      EXPECT_FALSE(answer.json["error"]["message"].get<std::string>().empty());
      EXPECT_EQ(answer.raw.body.find(folder_.path().string()), std::string::npos)
          << "tells where its files are: " << answer.raw.body;
    }
    std::string name;
    try {
      name = template_of(request.target);
    } catch (const serve::RequestError&) {
    }
    std::string method = request.method;
    std::transform(method.begin(), method.end(), method.begin(), ::tolower);
    if (name.empty() || !description_["paths"][name].contains(method)) return;
    const SchemaChecker checker(description_);
    const Json& responses = description_["paths"][name][method]["responses"];
    const std::string status = std::to_string(answer.status);
    ASSERT_TRUE(responses.contains(status)) << method << " " << name << " answers " << status;
    const Json& response = checker.resolve(responses[status]);
    if (answer.status < 400) covered_.insert(method + " " + name);
    if (!response.contains("content")) {
      EXPECT_EQ(answer.raw.body, "") << name;
      return;
    }
    const std::string type = answer.raw.type.substr(0, answer.raw.type.find(';'));
    ASSERT_TRUE(response["content"].contains(type)) << name << " is " << type;
    if (type != "application/json") return;
    for (const std::string& problem :
         checker.problems(answer.json, response["content"][type]["schema"]))
      ADD_FAILURE() << method << " " << name << " " << status << ": " << problem;
  }

  TemporaryFolder folder_;
  serve::ServiceSettings settings_;
  Json description_;
  std::set<std::string> covered_;
  std::optional<serve::Service> service_;
};

}  // namespace memmatch::test
