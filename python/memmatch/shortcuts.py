"""Whole tasks in one call."""

from collections.abc import Iterable, Sequence
from typing import Any, List, Optional, Tuple

from ._memmatch import CheckedSentence
from .arguments import PathLike
from .verifier import Text, Verifier


def check(text: str, documents: Optional[Iterable[Text]] = None, *,
          paths: Optional[Iterable[PathLike]] = None, **settings: Any) -> List[CheckedSentence]:
    """Which sentences of a text the documents support, contradict or do not mention.

    `documents` are texts or pairs (title, text), `paths` files and folders in their place; the
    settings are the Verifier's. To check several texts against the same documents, make a Verifier
    and call its check().
    """
    with Verifier(documents=documents, paths=paths, **settings) as verifier:
        return verifier.check(text)


def score(docs: Sequence[Text], claims: Sequence[str],
          **settings: Any) -> Tuple[List[int], List[float]]:
    """Whether each document supports the claim at its place: see Verifier.score()."""
    with Verifier(**settings) as verifier:
        return verifier.score(docs, claims)
