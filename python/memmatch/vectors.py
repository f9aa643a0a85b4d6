"""Vectors as NumPy has them."""

from typing import Any

import numpy
import numpy.typing

from . import _memmatch
from .errors import WrongType


def distances(queries: "numpy.typing.NDArray[numpy.float32]",
              supports: "numpy.typing.NDArray[numpy.float32]"
              ) -> "numpy.typing.NDArray[numpy.float64]":
    """How far each query (a row) is from each support (a column), by the paper's distance.

    Both are arrays of float32 with a vector in each row, as Verifier.embed() gives them; they are
    read where they lie. Raises Error where a number is not finite.
    """
    for name, array in (("queries", queries), ("supports", supports)):
        if not isinstance(array, numpy.ndarray) or array.dtype != numpy.float32:
            raise WrongType(f"{name} must be a NumPy array of float32, not {_kind_of(array)}; try "
                            "numpy.asarray(…, dtype=numpy.float32)")
    return _memmatch.distances(queries, supports)


def _kind_of(value: Any) -> str:
    if isinstance(value, numpy.ndarray):
        return f"one of {value.dtype}"
    return type(value).__name__
