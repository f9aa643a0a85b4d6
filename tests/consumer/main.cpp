#include <memmatch/datastore.h>
#include <memmatch/error.h>
#include <memmatch/verifier.h>
#include <memmatch/version.h>

#include <iostream>

// consumer MODEL STORE: puts a sentence into the datastore and verifies a claim against it.

namespace {

void add_facts(const char* file) {
  auto store = memmatch::Datastore::open(file, memmatch::Datastore::Access::create);
  auto import = store.begin_import();
  const memmatch::NewSentence birth{0, "Ada Lovelace was born in London."};
  import.add({"Ada_Lovelace", "Ada Lovelace", { birth }});
  import.commit();
}

void verify(const char* store, const char* model) {
  auto verifier = memmatch::Verifier::open(store, model, {});
  const auto verdict = verifier.verify("Ada Lovelace was born in Paris.", {});
  std::cout << memmatch::fever_name(verdict.label) << ": " << verdict.claim << '\n';
  for (const auto& evidence : verdict.evidence)
    std::cout << "  " << evidence.title << ", sentence " << evidence.number << ": " << evidence.text
              << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: consumer MODEL STORE (memmatch " MEMMATCH_VERSION ")\n";
    return 2;
  }
  try {
    add_facts(argv[2]);
    verify(argv[2], argv[1]);
    return 0;
  } catch (const memmatch::Error& error) {
    std::cerr << error.what() << '\n';
    return error.kind() == memmatch::ErrorKind::invalid_argument ? 2 : 1;
  }
}
