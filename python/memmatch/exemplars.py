"""Decisions whose right labels are known."""

from typing import Any, Dict, List, Optional, Tuple, Union

from . import _memmatch, arguments
from ._memmatch import Exemplar
from .arguments import PathLike
from .handles import Handle
from .verifier import Verifier

_MOST = 2**63 - 1


class Exemplars(Handle):
    """An exemplar database: known decisions that new ones are audited by.

        exemplars = memmatch.Exemplars("exemplars.db")
        exemplars.add("Ada Lovelace was born in Paris.", "REFUTES", verifier)
        audited = memmatch.Verifier(store="facts.db", exemplars="exemplars.db")

    The file is made where there is none, unless it is only to be read. A Verifier that has it open
    knows of every change at its next claim. Several threads may use one; they take turns.
    """

    def __init__(self, path: PathLike, *, read_only: bool = False) -> None:
        self._inner = _memmatch.Exemplars(arguments.path(path, "path"),
                                          not arguments.flag(read_only, "read_only"))

    def list(self, tag: str = "", *, label: Optional[str] = None, predicted: Optional[str] = None,
             limit: int = 0) -> List[Exemplar]:
        """The exemplars of a tag, or all of them; with these labels; 0 is no limit."""
        return self._inner.list(arguments.text(tag, "tag"), _label(label, "label"),
                                _label(predicted, "predicted"),
                                arguments.whole(limit, "limit", 0, _MOST))

    def get(self, id: int) -> Exemplar:
        """The exemplar of this number."""
        return self._inner.get(arguments.whole(id, "id", 0, _MOST))

    def sources(self) -> "list[Dict[str, Any]]":
        """The tags, each with how many exemplars there are of it."""
        return self._inner.sources()

    def add(self, claim: str, label: str, verifier: Verifier, *, tag: str = "corrections",
            evidence: Union[str, Tuple[str, str], None] = None) -> Exemplar:
        """Has the model decide on a claim whose right label is known, and keeps the decision.

        `evidence` is a sentence, or a pair of its title and the sentence; without it the Verifier
        looks for evidence.
        """
        if not isinstance(verifier, Verifier):
            raise arguments.WrongType("verifier must be a memmatch.Verifier, not "
                                      f"{type(verifier).__name__}")
        given = None if evidence is None else arguments.document(evidence, "evidence")
        return self._inner.add(verifier._inner, arguments.text(claim, "claim"),
                               arguments.text(label, "label"), arguments.text(tag, "tag"), given,
                               verifier._options())

    def relabel(self, id: int, label: str) -> Exemplar:
        """Says what is right for an exemplar."""
        return self._inner.relabel(arguments.whole(id, "id", 0, _MOST),
                                   arguments.text(label, "label"))

    def remove(self, id: int) -> Exemplar:
        """Removes an exemplar; gives what is gone."""
        return self._inner.remove(arguments.whole(id, "id", 0, _MOST))

    def remove_source(self, tag: str) -> int:
        """Removes a tag with all its exemplars; gives how many these were."""
        return self._inner.remove_source(arguments.text(tag, "tag"))

    def check(self) -> "list[str]":
        """Looks at everything; gives what is wrong, and an empty list where nothing is."""
        return self._inner.check()


def _label(value: Any, name: str) -> Optional[str]:
    return None if value is None else arguments.text(value, name)
