#include "base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/files.h"
#include "memmatch/error.h"

namespace memmatch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kErrors = std::size_t{1} << 16;

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void set(int number) { number_ = number; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  explicit Pipe(const std::filesystem::path& program) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_io_error(program, "start it", errno);
    read.set(ends[0]);
    write.set(ends[1]);
  }
  Descriptor read;
  Descriptor write;
};

void write_all(int file, std::string_view bytes, const std::filesystem::path& program) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) throw_io_error(program, "give it its input", errno);
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  ::lseek(file, 0, SEEK_SET);
}

// In the child, between fork and exec: only calls that are safe there.
void limit(int resource, std::uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

// The child itself; does not come back.
[[noreturn]] void become(const char* program, char* const* arguments, int in, int out, int errors,
                         const ChildLimits& limits) {
  limit(RLIMIT_AS, limits.memory);
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.seconds));
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execv(program, arguments);
  ::_exit(127);
}

// Appends what is there; false at the end of it.
bool take(int file, std::string& to) {
  std::array<char, 1 << 16> chunk;
  const ssize_t n = ::read(file, chunk.data(), chunk.size());
  if (n > 0) to.append(chunk.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

// Reads until both pipes are closed, or a limit is reached.
void collect(Pipe& output, Pipe& errors, const ChildLimits& limits, ChildResult& result) {
  const auto deadline = Clock::now() + std::chrono::seconds(2 * limits.seconds);
  while (output.read.is_open() || errors.read.is_open()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      result.end = ChildResult::End::too_slow;
      return;
    }
    // poll() passes over those that are closed: their number is negative.
    std::array<pollfd, 2> ready{{{output.read.get(), POLLIN, 0}, {errors.read.get(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), static_cast<int>(left)) <= 0) continue;
    if (ready[0].revents != 0 && !take(output.read.get(), result.output)) output.read.close();
    if (ready[1].revents != 0 && !take(errors.read.get(), result.errors)) errors.read.close();
    if (result.errors.size() > kErrors) result.errors.resize(kErrors);
    if (result.output.size() > limits.output) {
      result.end = ChildResult::End::too_much_output;
      return;
    }
  }
}

}  // namespace

std::optional<std::filesystem::path> find_program(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const std::filesystem::path program = std::filesystem::path(folders.substr(0, end)) / name;
    if (end > 0 && ::access(program.c_str(), X_OK) == 0 && !is_folder(program)) return program;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return std::nullopt;
}

ChildResult run_limited(const std::filesystem::path& program,
                        const std::vector<std::string>& arguments, std::string_view input,
                        const ChildLimits& limits) {
  const Descriptor in(::memfd_create("input", MFD_CLOEXEC));
  if (!in.is_open()) throw_io_error(program, "start it", errno);
  write_all(in.get(), input, program);
  Pipe output(program);
  Pipe errors(program);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const pid_t child = ::fork();
  if (child < 0) throw_io_error(program, "start it", errno);
  if (child == 0)
    become(program.c_str(), pointers.data(), in.get(), output.write.get(), errors.write.get(),
           limits);
  output.write.close();
  errors.write.close();

  ChildResult result;
  collect(output, errors, limits, result);
  if (result.end != ChildResult::End::exited) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (result.end != ChildResult::End::exited) return result;
  if (WIFSIGNALED(status)) {
    const bool slow = WTERMSIG(status) == SIGXCPU;
    result.end = slow ? ChildResult::End::too_slow : ChildResult::End::killed;
    result.code = WTERMSIG(status);
    // Where soft and hard limit are one, the kernel kills at once.
    if (WTERMSIG(status) == SIGKILL) result.end = ChildResult::End::too_slow;
  } else {
    result.code = WEXITSTATUS(status);
  }
  return result;
}

}  // namespace memmatch
