"""What can go wrong."""


class Error(Exception):
    """What failed, and what to do about it.

    `kind` is one of "invalid_argument", "not_found", "corrupt", "io", "full", "unsupported" and
    "conflict".
    """

    kind: str

    def __init__(self, message: str, kind: str = "invalid_argument") -> None:
        super().__init__(message, kind)
        self.kind = kind

    def __str__(self) -> str:
        return str(self.args[0])


class WrongType(Error, TypeError):
    """An argument is of a type that it cannot be. Also a TypeError, as Python has it."""

    def __init__(self, message: str, kind: str = "invalid_argument") -> None:
        super().__init__(message, kind)
