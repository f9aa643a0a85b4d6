#pragma once

#include <filesystem>
#include <vector>

#include "audit/exemplar_build.h"
#include "memmatch/datastore.h"

namespace memmatch::eval {

// Where the evidence of a claim file's exemplars comes from.
enum class ExemplarEvidence {
  retrieved,  // the search
  gold,       // the claim file: an exemplar for each gold set of one sentence (train_1-evidence)
  given,      // the claims bring it: a symmetric set
};

struct ExemplarClaimOptions {
  ExemplarEvidence evidence = ExemplarEvidence::retrieved;
  std::vector<std::filesystem::path> gold;  // for symmetric sets, see read_symmetric
  std::uint64_t limit = 0;                  // only the first so many; 0 is all
  std::uint64_t sample = 0;                 // of these so many, chosen by `seed`; 0 is all
  std::uint64_t seed = 1;
};

struct ExemplarClaims {
  std::vector<audit::ExemplarClaim> claims;  // in the file's order
  std::uint64_t missing = 0;                 // gold sentences that the datastore does not have
};

// What a claim file has to make exemplars from. Throws Error(corrupt) naming file and line of a
// claim without label, or without evidence where it should bring it.
ExemplarClaims read_exemplar_claims(const std::filesystem::path& file,
                                    const ExemplarClaimOptions& options, Datastore& store);

}  // namespace memmatch::eval
