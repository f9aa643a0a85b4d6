#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "support.h"

namespace memmatch::test {

// Starts the program with standard input, output and error in files of `folder`.
inline pid_t start_program(const std::vector<std::string>& arguments, const TemporaryFolder& folder,
                           const std::string& input = "",
                           const std::string& program = MEMMATCH_PROGRAM) {
  const auto in = folder.write("stdin", input);
  const auto out = folder.write("stdout", "");
  const auto err = folder.write("stderr", "");
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
  dup2(open(out.c_str(), O_WRONLY), STDOUT_FILENO);
  dup2(open(err.c_str(), O_WRONLY), STDERR_FILENO);
  execv(argv[0], argv.data());
  _exit(127);
}

struct Outcome {
  int code = 0;  // 128 + signal where one ended the program
  std::string out;
  std::string err;
};

inline Outcome outcome_of(int status, const TemporaryFolder& folder) {
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return {code, read_file(folder / "stdout"), read_file(folder / "stderr")};
}

inline Outcome wait_for(pid_t child, const TemporaryFolder& folder) {
  int status = 0;
  waitpid(child, &status, 0);
  return outcome_of(status, folder);
}

// Kills the program once `file` is larger than it was when this was called, however fast or slow
// the machine is; a program that ends before that is left to its end.
inline Outcome kill_when_grown(pid_t child, const std::filesystem::path& file,
                               const TemporaryFolder& folder) {
  const auto size = [&] {
    std::error_code absent;
    const std::uintmax_t bytes = std::filesystem::file_size(file, absent);
    return absent ? 0 : bytes;
  };
  const std::uintmax_t before = size();
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (size() > before) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return outcome_of(status, folder);
}

inline Outcome run_program(const std::vector<std::string>& arguments,
                           const std::string& input = "") {
  const TemporaryFolder folder;
  return wait_for(start_program(arguments, folder, input), folder);
}

}  // namespace memmatch::test
