#include "base/files.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch {
namespace {

using test::error_of;
using test::TemporaryFolder;

TEST(LineReader, LinesEndInAnyWay) {
  const TemporaryFolder folder;
  LineReader lines(folder.write("f",
                                "\xEF\xBB\xBF"
                                "one\r\n\ntwo\nthree"));
  std::vector<std::string> all;
  for (std::string line; lines.next(line);) all.push_back(line);
  EXPECT_EQ(all, (std::vector<std::string>{"one", "", "two", "three"}));
  EXPECT_EQ(lines.line_number(), 4u);
  EXPECT_EQ(lines.where(), (folder / "f").string() + ":4");
}

TEST(LineReader, LinesLongerThanItsBufferAreWhole) {
  const TemporaryFolder folder;
  const std::string longest(1'000'000, 'x');
  LineReader lines(folder.write("f", longest + "\n" + longest));
  std::string line;
  EXPECT_TRUE(lines.next(line) && line == longest);
  EXPECT_TRUE(lines.next(line) && line == longest);
  EXPECT_FALSE(lines.next(line));
}

TEST(LineReader, AnEndlessLineIsAnError) {
  const TemporaryFolder folder;
  const auto file = folder.write("f", "short\n");
  std::filesystem::resize_file(file, LineReader::kLongestLine + (1 << 20));  // zeros, no line end
  LineReader lines(file);
  std::string line;
  EXPECT_TRUE(lines.next(line));
  const Error error = error_of([&] { lines.next(line); });
  EXPECT_NE(std::string(error.what()).find(":2: line of over 256 MB"), std::string::npos)
      << error.what();
}

TEST(LineReader, MissingFilesAreNamed) {
  const Error error = error_of([] { LineReader("/nowhere/to/be/found"); });
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
  EXPECT_NE(std::string(error.what()).find("/nowhere/to/be/found"), std::string::npos);
}

TEST(OutputFile, AppearsOnlyWhenFinished) {
  const TemporaryFolder folder;
  const auto file = folder.write("f", "old\n");
  {
    OutputFile abandoned(file);
    abandoned.write_line("half");
  }
  EXPECT_EQ(read_file(file), "old\n");
  OutputFile out(file);
  out.write_line("new");
  out.finish();
  EXPECT_EQ(read_file(file), "new\n");
  const auto count = std::distance(std::filesystem::directory_iterator(file.parent_path()), {});
  EXPECT_EQ(count, 1) << "a temporary file was left behind";
}

}  // namespace
}  // namespace memmatch
