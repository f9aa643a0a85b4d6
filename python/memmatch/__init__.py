"""Verify claims against documents, with the evidence that decides.

    import memmatch

    with memmatch.Verifier(store="facts.db") as verifier:
        verdict = verifier.verify("Ada Lovelace was born in Paris.")
        print(verdict.label, verdict.confidence, verdict.evidence[0].text)

    for sentence in memmatch.check(draft, documents=[notes]):
        print(sentence.verdict and sentence.verdict.label, sentence.text)

What fails raises memmatch.Error, whose `kind` says what sort of failure it is.
"""

from ._memmatch import (
    CheckedSentence,
    Document,
    Evidence,
    Exemplar,
    GivenEvidence,
    Sentence,
    Verdict,
    __version__,
)
from .alignment import AlignedWords, Alignment
from .datastore import Datastore
from .errors import Error, WrongType
from .exemplars import Exemplars
from .labels import Label
from .shipped_model import default_model
from .shortcuts import check, score
from .vectors import distances
from .verifier import Ranked, Verifier

__all__ = [
    "AlignedWords",
    "Alignment",
    "CheckedSentence",
    "Datastore",
    "Document",
    "Error",
    "Evidence",
    "Exemplar",
    "Exemplars",
    "GivenEvidence",
    "Label",
    "Ranked",
    "Sentence",
    "Verdict",
    "Verifier",
    "WrongType",
    "__version__",
    "check",
    "default_model",
    "distances",
    "score",
]

# Where people find them, whatever file they are defined in.
for _name in __all__:
    if hasattr(globals()[_name], "__module__"):
        try:
            globals()[_name].__module__ = __name__
        except (AttributeError, TypeError):
            pass
del _name
