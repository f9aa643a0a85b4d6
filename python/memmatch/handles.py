"""What all objects that hold files or memory have in common."""

from typing import Any, TypeVar

Self = TypeVar("Self", bound="Handle")


class Handle:
    """Closed by close(), at the end of a `with` block, or when nobody has it any more."""

    _inner: Any

    def close(self) -> None:
        """Gives files and memory back; waits for work that another thread has it do.

        Whatever is asked of it afterwards raises Error. Closing again does nothing.
        """
        self._inner.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return bool(self._inner.closed)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
