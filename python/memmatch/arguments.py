"""Checks of what people pass, with messages that say what to pass instead."""

import math
import os
from collections.abc import Iterable, Mapping
from typing import Any, List, Optional, Union

from . import _memmatch
from .errors import Error, WrongType

PathLike = Union[str, "os.PathLike[str]"]


def _type_of(value: Any) -> str:
    return type(value).__name__


def text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise WrongType(f"{name} must be a str, not {_type_of(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise Error(f"{name} is no Unicode text: there is half of a surrogate pair at "
                    f"{error.start}") from None
    return str(value)


def texts(values: Any, name: str) -> List[str]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise WrongType(f"{name} must be a list of str, not {_type_of(values)}")
    return [text(value, f"{name}[{place}]") for place, value in enumerate(values)]


def path(value: Any, name: str) -> str:
    try:
        found = os.fspath(value)
    except TypeError:
        raise WrongType(f"{name} must be a path (str or pathlib.Path), "
                        f"not {_type_of(value)}") from None
    if isinstance(found, bytes):
        raise WrongType(f"{name} must be a path of text, not bytes")
    if not found or "\0" in found:
        raise Error(f"{name} is {found!r}, which is no path")
    return text(found, name)


def whole(value: Any, name: str, least: int, most: int = 2**31 - 1) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise WrongType(f"{name} must be an int, not {_type_of(value)}")
    number = value.__index__()
    if not least <= number <= most:
        raise Error(f"{name} is {number}; it must be from {least} to {most}")
    return number


def flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise WrongType(f"{name} must be True or False, not {_type_of(value)}")
    return value


def distance(value: Any, name: str) -> Optional[float]:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise WrongType(f"{name} must be a number, not {_type_of(value)}")
    if math.isnan(value) or value < 0:
        raise Error(f"{name} is {value}; it must not be below 0")
    return float(value)


def document(value: Any, name: str) -> _memmatch.GivenDocument:
    """A text, or a pair of title and text."""
    if isinstance(value, str):
        return _memmatch.GivenDocument("", text(value, name))
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return _memmatch.GivenDocument(text(value[0], f"{name}'s title"),
                                       text(value[1], f"{name}'s text"))
    raise WrongType(f"{name} must be a str or a pair (title, text), not {_type_of(value)}")


def documents(values: Any, name: str) -> List[_memmatch.GivenDocument]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise WrongType(f"{name} must be a list of str or of pairs (title, text), "
                        f"not {_type_of(values)}")
    return [document(value, f"{name}[{place}]") for place, value in enumerate(values)]
