#include "train/event_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "base/files.h"
#include "support.h"

namespace memmatch::train {
namespace {

using test::TemporaryFolder;

// A small reader of event files, which shares nothing with the writer.

std::uint32_t slow_crc32c(std::string_view data) {
  std::uint32_t crc = ~0u;
  for (const char c : data) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const std::uint32_t in = (static_cast<unsigned char>(c) >> bit ^ crc) & 1;
      crc >>= 1;
      if (in) crc ^= 0x82F63B78u;
    }
  }
  return ~crc;
}

std::uint32_t unmasked(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xA282EAD8u;
  return rotated << 15 | rotated >> 17;
}

template <typename T>
T fixed(std::string_view& bytes) {
  T value{};
  if (bytes.size() < sizeof value) throw std::runtime_error("cut off");
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

std::string_view take(std::string_view& bytes, std::uint64_t size) {
  if (bytes.size() < size) throw std::runtime_error("cut off");
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

std::uint64_t varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = fixed<std::uint8_t>(bytes);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
}

std::vector<std::string> records_of(std::string_view file) {
  std::vector<std::string> records;
  while (!file.empty()) {
    const std::string_view length = file.substr(0, 8);
    const auto size = fixed<std::uint64_t>(file);
    EXPECT_EQ(unmasked(fixed<std::uint32_t>(file)), slow_crc32c(length));
    records.emplace_back(take(file, size));
    EXPECT_EQ(unmasked(fixed<std::uint32_t>(file)), slow_crc32c(records.back()));
  }
  return records;
}

// The fields of a message by number: numbers as they are, doubles and floats as their bits.
struct Field {
  std::uint64_t number = 0;
  std::string bytes;
};

std::multimap<std::uint64_t, Field> fields_of(std::string_view message) {
  std::multimap<std::uint64_t, Field> fields;
  while (!message.empty()) {
    const std::uint64_t key = varint(message);
    Field field;
    switch (key & 7) {
      case 0:
        field.number = varint(message);
        break;
      case 1:
        field.number = fixed<std::uint64_t>(message);
        break;
      case 2:
        field.bytes = take(message, varint(message));
        break;
      case 5:
        field.number = fixed<std::uint32_t>(message);
        break;
      default:
        throw std::runtime_error("unknown wire type");
    }
    fields.emplace(key >> 3, field);
  }
  return fields;
}

struct Event {
  double wall_time = 0;
  std::uint64_t step = 0;
  std::string file_version;
  bool starts_session = false;
  std::map<std::string, float> scalars;
};

Event event_of(const std::string& record) {
  const auto fields = fields_of(record);
  Event event;
  event.wall_time = std::bit_cast<double>(fields.find(1)->second.number);
  event.step = fields.find(2)->second.number;
  if (fields.contains(3)) event.file_version = fields.find(3)->second.bytes;
  if (fields.contains(7))
    event.starts_session = fields_of(fields.find(7)->second.bytes).find(1)->second.number == 1;
  if (!fields.contains(5)) return event;
  for (const auto& [number, value] : fields_of(fields.find(5)->second.bytes)) {
    EXPECT_EQ(number, 1u);
    const auto parts = fields_of(value.bytes);
    event.scalars[parts.find(1)->second.bytes] =
        std::bit_cast<float>(static_cast<std::uint32_t>(parts.find(2)->second.number));
  }
  return event;
}

std::vector<Event> read_events(const std::filesystem::path& path) {
  std::vector<Event> events;
  for (const std::string& record : records_of(read_file(path))) events.push_back(event_of(record));
  return events;
}

TEST(Crc32c, KnownValues) {
  // RFC 3720, B.4, and the usual check value.
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising.push_back(c);
  EXPECT_EQ(crc32c(rising), 0x46DD794Eu);
  std::reverse(rising.begin(), rising.end());
  EXPECT_EQ(crc32c(rising), 0x113FDB5Cu);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(slow_crc32c("123456789"), 0xE3069283u);
}

TEST(EventFile, OpensWithItsVersionAndTheStartOfASession) {
  const TemporaryFolder folder;
  EventFile file(folder / "events", 700);
  const std::vector<Event> events = read_events(file.path());
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].file_version, "brain.Event:2");
  EXPECT_EQ(events[0].step, 700u);
  EXPECT_GT(events[0].wall_time, 1.6e9);
  EXPECT_TRUE(events[1].starts_session);
  EXPECT_EQ(events[1].step, 700u);
  EXPECT_TRUE(file.path().filename().string().starts_with("events.out.tfevents."));
}

TEST(EventFile, HoldsTheNumbersOfEachStep) {
  const TemporaryFolder folder;
  EventFile file(folder / "", 0);
  const std::string long_name(300, 'n');
  file.add(1, 1.75e9, std::vector<Scalar>{{"loss/level1", 0.5}, {"loss/level2", -2}});
  file.add(std::uint64_t{1} << 40, 1.75e9 + 0.25,
           std::vector<Scalar>{{long_name, 1e-5}, {"nan", std::nan("")}});
  file.add(3, 0, {});
  file.flush();
  const std::vector<Event> events = read_events(file.path());
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[2].step, 1u);
  EXPECT_EQ(events[2].wall_time, 1.75e9);
  EXPECT_EQ(events[2].scalars,
            (std::map<std::string, float>{{"loss/level1", 0.5f}, {"loss/level2", -2.f}}));
  EXPECT_EQ(events[3].step, std::uint64_t{1} << 40);
  EXPECT_EQ(events[3].wall_time, 1.75e9 + 0.25);
  EXPECT_EQ(events[3].scalars.at(long_name), 1e-5f);
  EXPECT_TRUE(std::isnan(events[3].scalars.at("nan")));
  EXPECT_TRUE(events[4].scalars.empty());
}

TEST(EventFile, FilesOfTheSameSecondAreApartAndInOrder) {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> paths;
  for (std::uint64_t step = 0; step < 3; ++step)
    paths.push_back(EventFile(folder / "", step).path());
  for (std::uint64_t step = 0; step < 3; ++step)
    EXPECT_EQ(read_events(paths[step]).front().step, step);
  EXPECT_TRUE(std::is_sorted(paths.begin(), paths.end()));
}

TEST(EventFile, WhatCannotBeWrittenIsAnErrorThatNamesTheFile) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "");
  const Error error = test::error_of([&] { EventFile(file / "events", 0); });
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
}

}  // namespace
}  // namespace memmatch::train
