"""Which words of a claim met which words of its evidence."""

import json
from dataclasses import dataclass, field
from typing import Any, Dict, List


@dataclass(frozen=True)
class AlignedWords:
    """Neighbouring words of the query that are linked most strongly with a word of the support."""

    query: str
    support: str
    strength: float


@dataclass(frozen=True)
class Alignment:
    """The words that a level matched; `to_dict()` has all links, as `memmatch align --json`."""

    level: int
    distance: float
    query: str
    support: str
    words: List[AlignedWords]
    _json: Dict[str, Any] = field(repr=False, compare=False)

    def to_dict(self) -> Dict[str, Any]:
        return self._json


def _words(side: Dict[str, Any], first: int, last: int) -> str:
    # Places are counted in bytes.
    text: bytes = side["text"].encode()
    return text[side["words"][first][0]:side["words"][last - 1][1]].decode()


def alignment_of(text: str) -> Alignment:
    found = json.loads(text)
    query, support = found["query"], found["support"]
    words = [
        AlignedWords(_words(query, group["first"], group["last"]),
                     _words(support, group["support"], group["support"] + 1), group["strength"])
        for group in found["groups"]
    ]
    return Alignment(found["level"], found["distance"], query["text"], support["text"], words,
                     found)
