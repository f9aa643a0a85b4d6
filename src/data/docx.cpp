#include "data/docx.h"

#include <fmt/format.h>
#include <libxml/parser.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "memmatch/error.h"

namespace memmatch::data {
namespace {

using text::Block;

// Elements within each other, at most.
constexpr int kDeepest = 1000;

// Larger lists of files are not those of a document. libzip reads the list as a whole.
constexpr std::uint64_t kLargestDirectory = std::uint64_t{4} << 20;

[[noreturn]] void fail_damaged() {
  throw Error(ErrorKind::corrupt, "the document is damaged; open and save it again");
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// The end of an archive says how large its list of files is.
void check_directory(std::string_view bytes) {
  const std::size_t end = bytes.rfind("PK\5\6");
  if (end == std::string_view::npos || bytes.size() - end < 22) fail_damaged();
  if (little_endian(bytes.substr(end + 12, 4)) > kLargestDirectory)
    throw Error(ErrorKind::unsupported, "the archive has too many files for a document");
}

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;

Archive open_archive(std::string_view bytes) {
  check_directory(bytes);
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (source && !archive) zip_source_free(source);
  zip_error_fini(&error);
  if (!archive) fail_damaged();
  return Archive(archive);
}

bool has_file(zip_t* archive, const char* name) { return zip_name_locate(archive, name, 0) >= 0; }

// Takes the parser's events of one XML file, by names without prefixes.
class XmlEvents {
 public:
  virtual ~XmlEvents() = default;
  virtual void start(std::string_view element,
                     const std::map<std::string, std::string>& attributes) = 0;
  virtual void end(std::string_view element) = 0;
  virtual void characters(std::string_view) {}

  bool has_doctype = false;
  int depth = 0;
  xmlParserCtxtPtr parser = nullptr;
};

XmlEvents& events_of(void* context) { return *static_cast<XmlEvents*>(context); }

std::string_view view(const xmlChar* text) { return reinterpret_cast<const char*>(text); }

void start_element(void* context, const xmlChar* name, const xmlChar*, const xmlChar*, int,
                   const xmlChar**, int count, int, const xmlChar** attributes) {
  std::map<std::string, std::string> values;
  for (int i = 0; i < count; ++i, attributes += 5) {
    const auto* begin = reinterpret_cast<const char*>(attributes[3]);
    const auto* end = reinterpret_cast<const char*>(attributes[4]);
    values.emplace(view(attributes[0]), std::string(begin, end));
  }
  XmlEvents& events = events_of(context);
  if (++events.depth > kDeepest) xmlStopParser(events.parser);
  events.start(view(name), values);
}

void end_element(void* context, const xmlChar* name, const xmlChar*, const xmlChar*) {
  --events_of(context).depth;
  events_of(context).end(view(name));
}

void characters(void* context, const xmlChar* text, int size) {
  events_of(context).characters(
      {reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)});
}

// A type declaration may define entities that grow without end; no document of Word's has one.
void doctype(void* context, const xmlChar*, const xmlChar*, const xmlChar*) {
  XmlEvents& events = events_of(context);
  events.has_doctype = true;
  xmlStopParser(events.parser);
}

class XmlParser {
 public:
  explicit XmlParser(XmlEvents& events)
      : events_(events), parser_(make(events), xmlFreeParserCtxt) {
    if (!parser_) throw std::bad_alloc();
    xmlCtxtUseOptions(parser_.get(), XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    events.parser = parser_.get();
  }

  void take(std::string_view bytes, bool last) {
    const int code =
        xmlParseChunk(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), last);
    if (events_.has_doctype)
      throw Error(ErrorKind::unsupported,
                  "its XML declares a type of its own, as no document does");
    if (code != XML_ERR_OK) fail_damaged();
  }

 private:
  static xmlParserCtxtPtr make(XmlEvents& events) {
    xmlSAXHandler handler{};
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = start_element;
    handler.endElementNs = end_element;
    handler.characters = characters;
    handler.internalSubset = doctype;
    return xmlCreatePushParserCtxt(&handler, &events, nullptr, 0, nullptr);
  }

  XmlEvents& events_;
  std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxtPtr)> parser_;
};

// Unpacks a file of the archive piece by piece. `largest` is what is left to unpack.
void read_xml(zip_t* archive, const char* name, std::uint64_t& largest, XmlEvents& events) {
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen(archive, name, 0),
                                                               zip_fclose);
  if (!file) fail_damaged();
  XmlParser parser(events);
  std::array<char, 1 << 16> chunk;
  for (;;) {
    const zip_int64_t n = zip_fread(file.get(), chunk.data(), chunk.size());
    if (n < 0) fail_damaged();
    const auto size = static_cast<std::size_t>(n);
    if (size > largest)
      throw Error(ErrorKind::unsupported,
                  "the document unpacks to more than is allowed (--file-limit)");
    largest -= size;
    parser.take({chunk.data(), size}, n == 0);
    if (n == 0) return;
  }
}

std::string value_of(const std::map<std::string, std::string>& attributes, const char* name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? std::string() : found->second;
}

// "heading 2": its level. A style's name is English whatever the language; its id is not.
int level_of_style(std::string name) {
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (name == "title") return 1;
  if (!name.starts_with("heading") || name.size() > 9) return 0;
  const char last = name.back();
  return last >= '1' && last <= '9' ? last - '0' : 0;
}

using StyleLevels = std::map<std::string, int>;

class StyleEvents : public XmlEvents {
 public:
  void start(std::string_view element,
             const std::map<std::string, std::string>& attributes) override {
    if (element == "style") style_ = value_of(attributes, "styleId");
    if (element == "name" && !style_.empty())
      levels[style_] = level_of_style(value_of(attributes, "val"));
  }
  void end(std::string_view element) override {
    if (element == "style") style_.clear();
  }

  StyleLevels levels;

 private:
  std::string style_;
};

class BodyEvents : public XmlEvents {
 public:
  explicit BodyEvents(const StyleLevels& styles) : styles_(styles) {}

  void start(std::string_view element,
             const std::map<std::string, std::string>& attributes) override {
    if (left_out_ > 0 || element == "Fallback") {  // what stands there twice, for old programs
      ++left_out_;
    } else if (element == "t") {
      in_text_ = true;
    } else if (element == "tab" || element == "br" || element == "cr") {
      block_.text += ' ';
    } else if (element == "pStyle") {
      const std::string style = value_of(attributes, "val");
      const auto known = styles_.find(style);
      block_.heading = known != styles_.end() ? known->second : level_of_style(style);
    } else if (element == "tr") {
      flush();
      ++rows_;
    } else if (element == "tc" && !block_.text.empty()) {
      block_.text += " | ";
    }
  }

  void end(std::string_view element) override {
    if (left_out_ > 0) {
      --left_out_;
    } else if (element == "t") {
      in_text_ = false;
    } else if (element == "p") {
      if (rows_ > 0) {
        block_.text += ' ';
      } else {
        flush();
      }
    } else if (element == "tr") {
      rows_ = std::max(0, rows_ - 1);
      block_.heading = 0;
      flush();
    }
  }

  void characters(std::string_view text) override {
    if (in_text_ && left_out_ == 0) block_.text += text;
  }

  std::vector<Block> blocks() && {
    flush();
    text::tidy_blocks(blocks_);
    return std::move(blocks_);
  }

 private:
  void flush() {
    if (block_.text.find_first_not_of(' ') != std::string::npos)
      blocks_.push_back(std::move(block_));
    block_ = {};
  }

  const StyleLevels& styles_;
  std::vector<Block> blocks_;
  Block block_;
  int rows_ = 0;  // depth of rows of tables
  int left_out_ = 0;
  bool in_text_ = false;
};

}  // namespace

bool is_zip(std::string_view bytes) { return bytes.starts_with("PK\3\4"); }

std::vector<Block> docx_blocks(std::string_view bytes, std::uint64_t largest) {
  const Archive archive = open_archive(bytes);
  constexpr const char* kBody = "word/document.xml";
  constexpr const char* kStyles = "word/styles.xml";
  if (!has_file(archive.get(), kBody)) {
    throw Error(
        ErrorKind::unsupported,
        "this is a zip archive, but no .docx; unpack it, or save the document as .docx, PDF or "
        "text");
  }
  StyleEvents styles;
  if (has_file(archive.get(), kStyles)) read_xml(archive.get(), kStyles, largest, styles);
  BodyEvents body(styles.levels);
  read_xml(archive.get(), kBody, largest, body);
  return std::move(body).blocks();
}

}  // namespace memmatch::data
