#include "serve/mcp/stdio.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>

#include "memmatch/error.h"
#include "serve/mcp/session.h"
#include "serve/service.h"

namespace memmatch::serve::mcp {

std::optional<Lines::Line> Lines::next() {
  while (true) {
    const std::size_t newline = buffer_.find('\n', scanned_);
    const bool whole = newline != std::string::npos;
    if (!whole && buffer_.size() - begin_ > longest_) {
      skipping_ = true;
      begin_ = buffer_.size();
    }
    if (!whole && !(ended_ && (begin_ < buffer_.size() || skipping_))) {
      buffer_.erase(0, begin_);
      begin_ = 0;
      scanned_ = buffer_.size();
      return std::nullopt;
    }
    const std::size_t end = whole ? newline : buffer_.size();
    Line line{buffer_.substr(begin_, end - begin_), skipping_ || end - begin_ > longest_};
    begin_ = scanned_ = whole ? end + 1 : end;
    skipping_ = false;
    if (line.too_long) line.text.clear();
    const bool blank = line.text.find_first_not_of(" \t\r") == std::string::npos;
    if (line.too_long || !blank) return line;
  }
}

namespace {

// Messages of a client that are worked on at once; it can wait with the next.
constexpr std::size_t kMostInFlight = 256;

// Something has happened: wakes who polls. From any thread.
class Event {
 public:
  Event() : file_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (file_ < 0) throw Error(ErrorKind::io, fmt::format("eventfd: {}", std::strerror(errno)));
  }
  ~Event() { close(file_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  int file() const { return file_; }
  void signal() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(file_, &one, sizeof one);
  }
  void clear() const {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto bytes = read(file_, &count, sizeof count);
  }

 private:
  int file_;
};

// Writes lines, whole ones, from any thread.
class Output {
 public:
  explicit Output(int file) : file_(file) {}

  void line(std::string text) {
    text += '\n';
    const std::lock_guard lock(mutex_);
    std::string_view rest = text;
    while (!rest.empty() && !gone_) {
      const ssize_t written = write(file_, rest.data(), rest.size());
      if (written >= 0) rest.remove_prefix(static_cast<std::size_t>(written));
      if (written < 0 && errno != EINTR) gone_ = true;
    }
  }

  // Nobody reads any more.
  bool gone() const { return gone_; }

 private:
  int file_;
  std::mutex mutex_;
  std::atomic<bool> gone_ = false;
};

class Conversation {
 public:
  Conversation(int in, int out, ServiceSettings settings, bool allow_writes);

  void run();

 private:
  Peer peer(bool allow_writes);
  bool wait();  // until something has happened; whether there is input
  void read_some();
  void take_lines();
  void loaded();

  const int in_;
  Output output_;
  Event event_;
  Lines lines_{limits::kBodyBytes};
  bool ended_ = false;
  std::atomic<std::size_t> in_flight_ = 0;
  // What needs the model, until it is there.
  std::deque<std::pair<HttpRequest, Respond>> waiting_;
  bool is_loaded_ = false;
  std::atomic<bool> loading_ended_ = false;
  std::exception_ptr failure_;  // known when loading has ended
  ServiceSettings settings_;
  std::shared_ptr<Session> session_;
  std::optional<Service> service_;  // the last: what it still calls is there until it is gone
};

Conversation::Conversation(int in, int out, ServiceSettings settings, bool allow_writes)
    : in_(in), output_(out), settings_(std::move(settings)) {
  // Nobody else reaches the service, so the token only says what this client may do.
  settings_.token = allow_writes ? "allow-writes" : "";
  settings_.loopback = true;
  settings_.drain_time = {};  // it ends when everything is answered, or when nobody wants answers
  session_ = Session::make(peer(allow_writes));
  service_.emplace(settings_, [this](std::exception_ptr error) {
    failure_ = std::move(error);
    loading_ended_ = true;
    event_.signal();
  });
}

Peer Conversation::peer(bool allow_writes) {
  const auto api = [this](HttpRequest request, Respond respond) {
    if (is_loaded_) return service_->handle(std::move(request), std::move(respond));
    waiting_.emplace_back(std::move(request), std::move(respond));
  };
  HttpRequest sender;
  sender.host = "localhost";
  sender.authorization = "Bearer " + settings_.token;
  const bool read_only = settings_.verifier.read_only;
  return {.api = api,
          .sender = std::move(sender),
          .why_no_writes =
              allow_writes && !read_only
                  ? ""
                  : "nothing may be changed here; that needs 'memmatch mcp' to be started with "
                    "--allow-writes and without --read-only",
          .exemplars = !settings_.files.exemplars.empty(),
          .version = settings_.version};
}

bool Conversation::wait() {
  const bool listening = !ended_ && in_flight_ < kMostInFlight;
  std::array<pollfd, 2> files{{{event_.file(), POLLIN, 0}, {listening ? in_ : -1, POLLIN, 0}}};
  if (poll(files.data(), files.size(), -1) < 0) {
    if (errno == EINTR) return false;
    throw Error(ErrorKind::io, fmt::format("poll: {}", std::strerror(errno)));
  }
  if (files[0].revents != 0) event_.clear();
  return files[1].revents != 0;
}

void Conversation::read_some() {
  std::array<char, 64 * 1024> piece;
  const ssize_t bytes = read(in_, piece.data(), piece.size());
  if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (bytes > 0) return lines_.feed({piece.data(), static_cast<std::size_t>(bytes)});
  ended_ = true;
  lines_.end();
}

void Conversation::take_lines() {
  while (in_flight_ < kMostInFlight) {
    const std::optional<Lines::Line> line = lines_.next();
    if (!line) return;
    if (line->too_long) {
      output_.line(
          Session::refusal(fmt::format("a message may have {} bytes at most", limits::kBodyBytes)));
      continue;
    }
    ++in_flight_;
    session_->take(line->text, [this](std::optional<std::string> answer) {
      if (answer) output_.line(*std::move(answer));
      --in_flight_;
      event_.signal();
    });
  }
}

// The model is there, or never will be.
void Conversation::loaded() {
  is_loaded_ = !failure_;
  for (auto& [request, respond] : std::exchange(waiting_, {})) {
    if (is_loaded_) {
      service_->handle(std::move(request), std::move(respond));
    } else {
      respond(Service::refusal(503, "loading", "the model or the datastore could not be opened"));
    }
  }
  if (failure_) std::rethrow_exception(failure_);
}

void Conversation::run() {
  while (!output_.gone()) {
    if (loading_ended_ && !is_loaded_) loaded();
    take_lines();
    if (ended_ && in_flight_ == 0 && is_loaded_) return;
    if (wait()) read_some();
  }
}

}  // namespace

void serve_stdio(int in, int out, ServiceSettings settings, bool allow_writes) {
  Conversation(in, out, std::move(settings), allow_writes).run();
}

}  // namespace memmatch::serve::mcp
