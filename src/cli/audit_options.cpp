#include "cli/audit_options.h"

#include "cli/checks.h"

namespace memmatch::cli {

void add_audit_options(CLI::App& verb, AuditArguments& arguments) {
  ExemplarOptions& options = arguments.options;
  auto* exemplars =
      verb.add_option("--exemplars", arguments.exemplars,
                      "An exemplar database: shows the known decisions that this one resembles")
          ->type_name("FILE");
  auto* true_positive =
      verb.add_flag("--exa-tp", options.true_positive,
                    "Admit only verdicts whose nearest exemplar is a right decision for the same "
                    "label")
          ->needs(exemplars);
  verb.add_option("--exa-max-distance", options.max_distance, "… that is not farther than this")
      ->check(not_negative())
      ->needs(true_positive);
  verb.add_option("--exa-update", options.update_tag,
                  "Where the nearest evidence was edited since import, the label of the nearest "
                  "exemplar with this tag")
      ->option_text("TAG")
      ->needs(exemplars);
  verb.add_option("--neighbours", options.neighbours,
                  "Exemplars that have a say in --exa-tp and --exa-update; more than one vote")
      ->check(whole_number(1, 1000))
      ->capture_default_str()
      ->needs(exemplars);
}

}  // namespace memmatch::cli
