"""The sentences that claims are verified against."""

from collections.abc import Iterable
from typing import Any, Dict, List, Optional, Tuple

from . import _memmatch, arguments
from ._memmatch import Document, Sentence
from .arguments import PathLike
from .errors import WrongType
from .handles import Handle

_MOST_SENTENCES = 2**31 - 2


class Datastore(Handle):
    """A datastore's file: look into it, change its facts.

        with memmatch.Datastore("facts.db", "create") as store:
            store.import_documents([("Ada Lovelace", ["She was born in London in 1815."])])
            store.edit("Ada Lovelace", 0, "She was born in London on 10 December 1815.")

    `access` is "read", "write", or "create", which makes a datastore where there is none. Every
    change is one transaction, and a Verifier that has the same file open sees it at once. Several
    threads may use one; they take turns.
    """

    def __init__(self, path: PathLike, access: str = "read") -> None:
        self._inner = _memmatch.Datastore(arguments.path(path, "path"),
                                          arguments.text(access, "access"))

    def documents(self) -> List[Document]:
        """All documents, in the order in which they came."""
        return self._inner.documents()

    def document(self, title: str) -> Document:
        """The document of this title, as people write it or as it was imported."""
        return self._inner.document(arguments.text(title, "title"))

    def sentences(self, title: str) -> List[Sentence]:
        """A document's sentences, in their order."""
        return self._inner.sentences(arguments.text(title, "title"))

    def sentence(self, title: str, number: int) -> Sentence:
        """One of them."""
        return self._inner.sentence(arguments.text(title, "title"), _number(number))

    def add(self, title: str, text: str, number: Optional[int] = None) -> Sentence:
        """Adds a sentence, and the document where there is none.

        Without a number it comes behind the last one. Raises Error("conflict") where the number is
        taken.
        """
        return self._inner.add(arguments.text(title, "title"), arguments.text(text, "text"),
                               None if number is None else _number(number))

    def edit(self, title: str, number: int, text: str) -> Sentence:
        """Replaces a sentence's text."""
        return self._inner.edit(arguments.text(title, "title"), _number(number),
                                arguments.text(text, "text"))

    def delete(self, title: str, number: Optional[int] = None) -> List[Sentence]:
        """Deletes a sentence, or without a number the document; gives what is gone."""
        title = arguments.text(title, "title")
        if number is None:
            return self._inner.delete_document(title)
        return self._inner.delete_sentence(title, _number(number))

    def import_documents(self, documents: Any, *, overwrite_edits: bool = False) -> Dict[str, int]:
        """Brings documents in, all or none of them; gives what that did.

        Each is a pair of its title and its sentences (a list of str, or a str, which is split into
        sentences). One that was imported before is replaced, except for what was edited, added or
        deleted by hand; with `overwrite_edits` that, too.
        """
        if isinstance(documents, (str, bytes)) or not isinstance(documents, Iterable):
            raise WrongType("documents must be a list of pairs (title, sentences), "
                            f"not {type(documents).__name__}")
        pairs = [_document(value, f"documents[{place}]")
                 for place, value in enumerate(documents)]
        return self._inner.import_documents(pairs,
                                            arguments.flag(overwrite_edits, "overwrite_edits"))

    def import_files(self, path: PathLike, format: str = "", *, overwrite_edits: bool = False,
                     skip_bad_lines: bool = False) -> Dict[str, int]:
        """Brings a file or a folder in, as `memmatch import`.

        Without a format each file is read as what it is; else that is "jsonl", "text", "beir",
        "kilt" or "fever-wiki".
        """
        return self._inner.import_files(arguments.path(path, "path"),
                                        arguments.text(format, "format"),
                                        arguments.flag(overwrite_edits, "overwrite_edits"),
                                        arguments.flag(skip_bad_lines, "skip_bad_lines"))

    def stats(self) -> Dict[str, int]:
        """Counts, as `memmatch store stats`."""
        return self._inner.stats()

    def check(self) -> List[str]:
        """Looks at everything; gives what is wrong, and an empty list where nothing is."""
        return self._inner.check()

    def repair(self) -> Dict[str, int]:
        """Makes all indexes anew and removes damaged vectors; never touches texts."""
        return self._inner.repair()


def _number(value: Any) -> int:
    return arguments.whole(value, "number", 0, _MOST_SENTENCES)


def _document(value: Any, name: str) -> Tuple[str, List[str]]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise WrongType(f"{name} must be a pair (title, sentences), not {type(value).__name__}")
    title, sentences = value
    if isinstance(sentences, str):
        sentences = _memmatch.split_sentences(arguments.text(sentences, f"{name}'s text"))
    return arguments.text(title, f"{name}'s title"), arguments.texts(sentences,
                                                                     f"{name}'s sentences")
