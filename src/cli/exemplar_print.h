#pragma once

#include <string>

#include "memmatch/exemplars.h"
#include "memmatch/verifier.h"

namespace memmatch::cli {

// An exemplar for people, in a few lines: labels, claim and evidence.
void print_exemplar(const Exemplar& exemplar);

// What the exemplars say of a verdict, below it: one line for each that is near, with `evidence`
// also what it was decided on.
void print_exemplar_audit(const Verdict& verdict, bool evidence);

}  // namespace memmatch::cli
