"""The three decisions."""

import enum


class Label(str, enum.Enum):
    """What the evidence says of a claim; a str, spelled as in FEVER's files.

    `Label.SUPPORTS == "SUPPORTS"`, and `str(Label.NOT_ENOUGH_INFO)` is "NOT ENOUGH INFO".
    """

    SUPPORTS = "SUPPORTS"
    REFUTES = "REFUTES"
    NOT_ENOUGH_INFO = "NOT ENOUGH INFO"

    def __str__(self) -> str:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)
