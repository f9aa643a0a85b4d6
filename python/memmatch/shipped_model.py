"""Where the shipped model is."""

import os
import sys
from pathlib import Path

from .errors import Error


def default_model() -> Path:
    """The model's folder that holds where none is named.

    That is what the variable MEMMATCH_MODEL of the environment names, or the model that came with
    this package, or the one that was installed with the program.
    """
    named = os.environ.get("MEMMATCH_MODEL")
    if named:
        return Path(named)
    places = [Path(__file__).parent / "models" / "default"]
    for prefix in (sys.prefix, "/usr/local", "/usr"):
        places.append(Path(prefix) / "share" / "memmatch" / "models" / "default")
    for place in places:
        if (place / "config.json").exists():
            return place
    raise Error("there is no model beside the package; give one as model=…, or name it in the "
                "environment as MEMMATCH_MODEL", "not_found")
