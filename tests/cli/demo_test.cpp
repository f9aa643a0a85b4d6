// What `make demo` shows is what its headings say.

#include <gtest/gtest.h>

#include <sstream>

#include "cli/process.h"

namespace memmatch {
namespace {

// The verdicts, in order: "SUPPORTS  Ada Lovelace was born in London.", …
std::vector<std::string> verdicts_in(const std::string& output) {
  std::vector<std::string> verdicts;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    for (const char* label : {"SUPPORTS  ", "REFUTES  ", "NOT ENOUGH INFO  "})
      if (line.starts_with(label)) verdicts.push_back(line);
  }
  return verdicts;
}

TEST(Demo, ShowsWhatItsHeadingsSay) {
  const auto script = std::filesystem::path(MEMMATCH_SOURCE_DIR) / "examples" / "demo" / "run";
  const test::TemporaryFolder folder;
  const pid_t child = test::start_program({"MEMMATCH=" MEMMATCH_PROGRAM, script.string()}, folder,
                                          "", "/usr/bin/env");
  const test::Outcome outcome = test::wait_for(child, folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string ada = "Ada Lovelace was born in London.";
  const std::string gagarin = "Yuri Gagarin had two daughters.";
  const std::string titanic = "Titanic was directed by Steven Spielberg.";
  EXPECT_EQ(verdicts_in(outcome.out),
            (std::vector<std::string>{
                "SUPPORTS  " + ada, "REFUTES  " + titanic, "NOT ENOUGH INFO  " + gagarin,
                "SUPPORTS  " + gagarin,                         // its fact was added
                "SUPPORTS  " + titanic,                         // the fact was edited
                "SUPPORTS  " + titanic,                         // the audit
                "SUPPORTS  " + titanic, "REFUTES  " + titanic,  // an exemplar relabelled
                "REFUTES  " + ada, "REFUTES  " + ada,           // a correction added
                "SUPPORTS  " + titanic}));                      // the alignment
}

}  // namespace
}  // namespace memmatch
