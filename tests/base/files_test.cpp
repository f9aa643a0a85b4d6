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

TEST(Files, TheFileSystemsRefusalsAreErrorsThatNameThePath) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.write("file", "abc");
  const std::filesystem::path too_long = folder / std::string(300, 'x');
  EXPECT_TRUE(path_exists(file));
  EXPECT_FALSE(path_exists(file / "below"));
  EXPECT_FALSE(is_folder(file));
  EXPECT_TRUE(is_folder(folder.path()));
  remove_file(folder / "none");
  cut_file(file, 2);
  EXPECT_EQ(read_file(file), "ab");
  for (const std::function<void()>& action : std::vector<std::function<void()>>{
           [&] { path_exists(too_long); }, [&] { is_folder(too_long); },
           [&] { entries_of(folder / "none"); }, [&] { entries_of(file); },
           [&] { remove_file(file / "below"); }, [&] { cut_file(folder / "none", 1); },
           [&] { make_folders(file / "below"); }}) {
    const Error error = test::error_of(action);
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_TRUE(std::string(error.what()).starts_with(folder.path().string())) << error.what();
  }
}

TEST(Files, ControlCharactersInMessagesAreEscaped) {
  EXPECT_STREQ(Error(ErrorKind::io, "a\x1b[31m\nb\x7f \xC2\x9B c \xC3\xA9").what(),
               "a\\x1b[31m\\x0ab\\x7f \\x9b c \xC3\xA9");
  const Error error = test::error_of([] {
    read_file(
        "no\x1b]0;such\x07"
        "file");
  });
  EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
  EXPECT_NE(std::string(error.what()).find("no\\x1b]0;such\\x07file"), std::string::npos);
}

}  // namespace
}  // namespace memmatch
