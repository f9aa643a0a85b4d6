#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "audit/admission.h"
#include "memmatch/audit.h"
#include "memmatch/verifier.h"
#include "serve/requests.h"
#include "serve/served_file.h"
#include "store/document_editor.h"
#include "store/title_search.h"

namespace memmatch::serve {

struct Files {
  std::string store;
  std::string model;
  std::string exemplars;  // may be empty
};

// What the engine's thread works with, and nobody else.
struct Workbench {
  // Opens everything; makes the exemplar database where there is none. Throws Error.
  Workbench(const Files& files, const Verifier::Settings& settings);

  // Whether the files are still those that were opened. From any thread.
  bool files_in_place() const;

  // Of admission, where nobody chose one: "none" without a calibration. From any thread.
  std::string default_rule() const;

  ServedFile store_file;  // known before the datastore is opened
  std::optional<ServedFile> exemplars_file;
  Verifier verifier;
  // For changes, so none with read_only. They do not wait long for another process that is writing:
  // see change_file().
  std::optional<Datastore> store;
  std::optional<store::DocumentEditor> editor;
  std::optional<Exemplars> exemplars;
  std::optional<ExemplarAuditor> auditor;
  std::optional<audit::Calibration> calibration;  // does not change
};

// What the server's own thread reads from while the engine is busy.
struct ReadingDesk {
  explicit ReadingDesk(const Files& files);

  Datastore store;
  store::TitleSearch titles;
  std::optional<Exemplars> exemplars;
};

}  // namespace memmatch::serve
