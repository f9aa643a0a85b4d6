"""From claims to verdicts."""

import json
import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple, Union, overload

import numpy
import numpy.typing

from . import _memmatch, arguments
from ._memmatch import CheckedSentence, Verdict
from .alignment import Alignment, alignment_of
from .arguments import PathLike
from .errors import Error, WrongType
from .handles import Handle
from .shipped_model import default_model

# A text, or a pair of its title and the text.
Text = Union[str, Tuple[str, str]]

_MOST_WIDTH = 10_000


@dataclass(frozen=True)
class Ranked:
    """A document that rerank() has put in its place."""

    index: int  # among the documents that were given
    relevance: float  # from 0 to 1, greater for what is nearer


class Verifier(Handle):
    """A model, and what it verifies claims against.

    Give one of these, or none to bring evidence with each claim:

    - `store`: a datastore's file;
    - `documents`: texts for this object alone, each a str or a pair (title, text);
    - `paths`: files and folders for this object alone, of the kinds that `memmatch import` reads.

    And how:

    - `model`: its folder; without it default_model() says which;
    - `precision`: "fp32", or "int8", which is faster and a little less exact;
    - `threads`: how many processors to use; 0 is all of them;
    - `k1`, `z`: sentences that level 1 and level 2 keep; z is how many are evidence;
    - `two_class`: leave out NOT ENOUGH INFO;
    - `candidates`: what is searched: the titles that the claim names ("cover"), the words that it
      shares ("words"), both ("auto"), or the whole store by its vectors ("all");
    - `admit`: which verdicts to rely on: "confidence:0.8", "quantile:0.9", "mean" or "none";
      without it what the model's calibration allows, as `memmatch verify`;
    - `exemplars`: an exemplar database to audit by, with the rules `exa_tp`, `exa_max_distance`,
      `exa_update` and `neighbours` of `memmatch verify`, and `nearest`, how many to show;
    - `read_only`: do not keep vectors that have to be made on the way;
    - `memory_limit`: bytes that a search of the whole store may take; 0 is half of the machine's.

    Several threads may use one; they take turns. Ctrl-C ends a long call, and the object goes on
    working.
    """

    def __init__(self, store: Optional[PathLike] = None, *, model: Optional[PathLike] = None,
                 documents: Optional[Iterable[Text]] = None,
                 paths: Optional[Iterable[PathLike]] = None,
                 exemplars: Optional[PathLike] = None, precision: str = "fp32", threads: int = 0,
                 k1: int = 20, z: int = 5, two_class: bool = False, candidates: str = "auto",
                 admit: str = "", exa_tp: bool = False, exa_max_distance: Optional[float] = None,
                 exa_update: str = "", neighbours: int = 1, nearest: int = 1,
                 read_only: bool = False, memory_limit: int = 0) -> None:
        if sum(source is not None for source in (store, documents, paths)) > 1:
            raise Error("give one of store, documents and paths")
        self._search: Dict[str, Any] = {"k1": k1, "z": z, "two_class": two_class,
                                        "candidates": candidates}
        self._options()  # complains of them now, and not at the first claim
        trust = _memmatch.TrustSettings(
            arguments.text(admit, "admit"),
            "" if exemplars is None else arguments.path(exemplars, "exemplars"),
            arguments.whole(nearest, "nearest", 1, 1000),
            arguments.whole(neighbours, "neighbours", 1, 1000),
            arguments.flag(exa_tp, "exa_tp"),
            arguments.distance(exa_max_distance, "exa_max_distance"),
            arguments.text(exa_update, "exa_update"))
        self._inner = _memmatch.Session(
            None if store is None else arguments.path(store, "store"),
            None if documents is None else arguments.documents(documents, "documents"),
            None if paths is None else _paths(paths),
            arguments.path(default_model() if model is None else model, "model"),
            arguments.text(precision, "precision"),
            arguments.whole(threads, "threads", 0, 1024) or len(os.sched_getaffinity(0)),
            arguments.flag(read_only, "read_only"),
            arguments.whole(memory_limit, "memory_limit", 0, 2**63 - 1), trust)
        for message in self._inner.left_out():
            warnings.warn(message, stacklevel=2)

    @property
    def rule(self) -> str:
        """The rule of admission that holds; "none" where there is none."""
        return self._inner.rule()

    @overload
    def verify(self, claim: str, evidence: Union[str, Iterable[Text], None] = None, *,
               k1: Optional[int] = None, z: Optional[int] = None,
               two_class: Optional[bool] = None, candidates: Optional[str] = None,
               explain: bool = False, difference: bool = False) -> Verdict: ...

    @overload
    def verify(self, claim: Sequence[str], evidence: Optional[Iterable[Any]] = None, *,
               k1: Optional[int] = None, z: Optional[int] = None,
               two_class: Optional[bool] = None, candidates: Optional[str] = None,
               explain: bool = False, difference: bool = False) -> List[Verdict]: ...

    def verify(self, claim: Any, evidence: Any = None, *, k1: Optional[int] = None,
               z: Optional[int] = None, two_class: Optional[bool] = None,
               candidates: Optional[str] = None, explain: bool = False,
               difference: bool = False) -> Any:
        """The verdict on a claim, or a list of verdicts on a list of claims.

        Many claims together are faster, and give the same verdicts. With `evidence` nothing is
        searched: it is a text, a pair of title and text, or a list of these, and for a list of
        claims a list with such an entry for each. `explain` keeps the beams of all levels (see
        Verdict.to_dict), `difference` the difference vectors; the rest is as for the Verifier.
        """
        options = self._options(k1=k1, z=z, two_class=two_class, candidates=candidates,
                                explain=explain, difference=difference)
        if isinstance(claim, str):
            claims = [arguments.text(claim, "claim")]
            given = None if evidence is None else [_evidence(evidence, "evidence")]
            return self._verdicts(claims, given, options)[0]
        claims = arguments.texts(claim, "claims")
        return self._verdicts(claims, _evidence_of_each(evidence, claims), options)

    def check(self, text: str, *, k1: Optional[int] = None, z: Optional[int] = None,
              two_class: Optional[bool] = None,
              candidates: Optional[str] = None) -> List[CheckedSentence]:
        """A text's sentences, each with its verdict.

        Questions, headings and what has no words are not judged and say so.
        """
        options = self._options(k1=k1, z=z, two_class=two_class, candidates=candidates)
        return self._inner.check(arguments.text(text, "text"), options)

    def score(self, docs: Sequence[Text], claims: Sequence[str]) -> Tuple[List[int], List[float]]:
        """Whether each document supports the claim at its place, in MiniCheck's shape.

        Gives labels (1: supported) and how likely that is: the confidence where the label is
        SUPPORTS; where it is not, half of what is missing to certainty.
        """
        texts = arguments.texts(claims, "claims")
        given = [[one] for one in arguments.documents(docs, "docs")]
        if len(given) != len(texts):
            raise Error(f"there are {len(given)} docs for {len(texts)} claims; give one for each")
        return self._inner.score(texts, given, self._options())

    def evaluate(self, claims: Sequence[str], labels: Sequence[str],
                 evidence: Optional[Iterable[Any]] = None,
                 kinds: Optional[Sequence[str]] = None) -> Dict[str, Any]:
        """How often the model is right on claims whose labels are known.

        Gives what `memmatch evaluate --pairs --json` does, shares in percent: `accuracy`,
        `confusion` by right label and verdict, `majority` and `always`; with `kinds`, a name for
        each claim, the same for each name. `evidence` is as for verify().
        """
        texts = arguments.texts(claims, "claims")
        right = arguments.texts(labels, "labels")
        names = [] if kinds is None else arguments.texts(kinds, "kinds")
        for name, values in (("labels", right), ("kinds", names)):
            if (values or name == "labels") and len(values) != len(texts):
                raise Error(f"there are {len(values)} {name} for {len(texts)} claims; give one "
                            "for each")
        two_class = self._search["two_class"]
        _memmatch.check_labels(right, two_class)
        verdicts = self._verdicts(texts, _evidence_of_each(evidence, texts), self._options())
        return json.loads(_memmatch.figures_of(verdicts, right, names, two_class))

    def align(self, claim: str, *, level: int = 1, evidence: int = 1,
              label: Optional[str] = None) -> Alignment:
        """Which words of a claim a level matched with which of its evidence.

        At levels 1 and 2 with the nearest sentence, or the second nearest (`evidence=2`); at level
        3 with all of them, in the support of `label` or else of the verdict's.
        """
        found = self._inner.align(
            arguments.text(claim, "claim"), arguments.whole(level, "level", 1, 3),
            arguments.whole(evidence, "evidence", 1, _MOST_WIDTH),
            None if label is None else arguments.text(label, "label"), self._options())
        return alignment_of(found)

    def embed(self, texts: Union[str, Iterable[str]], *, pooling: str = "mean",
              role: str = "query", normalize: bool = False
              ) -> "numpy.typing.NDArray[numpy.float32]":
        """A vector for each text, as the rows of an array of float32.

        `pooling` is "mean", the mean of the encoder's hidden states, or "level1", "level2",
        "level3", the memory vector of a level: of a claim (`role="query"`), or of a text that is a
        support as it is (`role="support"`). `normalize` gives all of them the length 1.
        """
        rows = [arguments.text(texts, "texts")] if isinstance(texts, str) else arguments.texts(
            texts, "texts")
        return _memmatch.embed(self._inner, rows, arguments.text(pooling, "pooling"),
                               arguments.text(role, "role"),
                               arguments.flag(normalize, "normalize"))

    def rerank(self, query: str, documents: Iterable[Text],
               top: Optional[int] = None) -> List[Ranked]:
        """The documents in the order of level 2, the nearest to the query first."""
        given = arguments.documents(documents, "documents")
        count = len(given) if top is None else arguments.whole(top, "top", 1)
        ranked = _memmatch.rerank(self._inner, arguments.text(query, "query"), given, count)
        return [Ranked(index, relevance) for index, relevance in ranked]

    def index(self) -> int:
        """Makes the level-1 vectors of all sentences that have none; gives how many.

        Stopped at any time, it goes on where it was. It is needed for candidates="all" alone.
        """
        return self._inner.index()

    def _options(self, *, explain: bool = False, difference: bool = False,
                 **search: Any) -> _memmatch.SearchOptions:
        chosen = dict(self._search)
        chosen.update((name, value) for name, value in search.items() if value is not None)
        return _memmatch.SearchOptions(
            arguments.whole(chosen["k1"], "k1", 1, _MOST_WIDTH),
            arguments.whole(chosen["z"], "z", 0, _MOST_WIDTH),
            arguments.flag(chosen["two_class"], "two_class"),
            arguments.text(chosen["candidates"], "candidates"),
            arguments.flag(explain, "explain"), arguments.flag(difference, "difference"))

    def _verdicts(self, claims: List[str], evidence: Optional[List[Any]],
                  options: _memmatch.SearchOptions) -> List[Verdict]:
        if evidence is None:
            return self._inner.verify(claims, options)
        return self._inner.verify_given(claims, evidence, options)


def _paths(values: Any) -> List[str]:
    return [arguments.path(value, f"paths[{place}]")
            for place, value in enumerate(_sequence(values, "paths"))]


def _sequence(values: Any, name: str) -> Iterable[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise WrongType(f"{name} must be a list, not {type(values).__name__}")
    return values


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2


def _evidence(value: Any, name: str) -> List[_memmatch.GivenDocument]:
    if isinstance(value, str) or _is_pair(value):
        return [arguments.document(value, name)]
    found = arguments.documents(value, name)
    if not found:
        raise Error(f"{name} is empty; leave it out to have evidence searched for")
    return found


def _evidence_of_each(evidence: Any, claims: List[str]) -> Optional[List[Any]]:
    if evidence is None:
        return None
    given = [_evidence(value, f"evidence[{place}]")
             for place, value in enumerate(_sequence(evidence, "evidence"))]
    if len(given) != len(claims):
        raise Error(f"there are {len(given)} entries of evidence for {len(claims)} claims; give "
                    "one for each")
    return given
