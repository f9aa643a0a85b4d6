#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "serve/mcp/peer.h"

namespace memmatch::serve::mcp {

inline constexpr std::string_view kLatestVersion = "2025-11-25";
// What a client speaks over HTTP that does not say.
inline constexpr std::string_view kUnsaidVersion = "2025-03-26";

// The version by that name, if we speak it.
std::optional<std::string_view> find_version(std::string_view name);

// "2025-11-25, 2025-06-18, …"
std::string version_names();

// A conversation in the Model Context Protocol, without a transport: takes what a client says and
// gives what is to be answered.
class Session : public std::enable_shared_from_this<Session> {
 public:
  // Gets the answer as a JSON text, or nothing where nothing is to be answered; from any thread,
  // exactly once.
  using Send = std::function<void(std::optional<std::string>)>;

  // Without a `version` the client has to initialize first.
  static std::shared_ptr<Session> make(Peer peer, std::optional<std::string_view> version = {});

  // A message, or a batch of them where the version has batches. From one thread at a time. Does
  // not throw; `send` keeps the session alive until it is called.
  void take(const std::string& text, const Send& send);

  // The answer to what never became a message.
  static std::string refusal(const std::string& why);

 private:
  // An answer, or none; exactly once.
  using Done = std::function<void(std::optional<Json>)>;
  using Method = void (Session::*)(const Message&, const Reply&);
  static const std::map<std::string_view, Method> kMethods;

  Session(Peer peer, std::optional<std::string_view> version)
      : peer_(std::move(peer)), version_(version) {}

  void take_batch(JsonArray batch, const Send& send);
  void take_one(JsonElement element, const Done& done);
  void take_request(const Message& message, const Done& done);
  void take_notification(const Message& message);
  void perform(const Message& message, const Reply& reply);

  void initialize(const Message& message, const Reply& reply);
  void ping(const Message& message, const Reply& reply);
  void tools_list(const Message& message, const Reply& reply);
  void tools_call(const Message& message, const Reply& reply);
  void resources_list(const Message& message, const Reply& reply);
  void resource_templates_list(const Message& message, const Reply& reply);
  void resources_read(const Message& message, const Reply& reply);

  std::uint64_t begin(const std::string& id);
  bool end(const std::string& id, std::uint64_t number);
  void cancel(const std::string& id);

  const Peer peer_;
  std::optional<std::string_view> version_;
  std::mutex mutex_;  // guards all below
  // Requests that are being worked on, by their ids. One that is cancelled is not here any more,
  // and a later one may have its id; so they are numbered.
  std::map<std::string, std::uint64_t> in_flight_;
  std::uint64_t begun_ = 0;
};

}  // namespace memmatch::serve::mcp
