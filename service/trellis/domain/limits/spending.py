"""What hosted models cost a question: counted while it is answered, bounded, and told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Spending:
    """Calls of hosted models, and the tokens read and written as far as servers tell them.

    `most_calls` and `most_tokens`: after these no further call is made.
    """

    most_calls: int
    most_tokens: int
    calls: int = 0
    tokens: int = 0

    def add(self, tokens: int) -> None:
        """Count a call and its tokens."""
        self.calls += 1
        self.tokens += tokens

    @property
    def limit_reached(self) -> str:
        """The bound that was reached, in words; empty where there is room for another call."""
        if self.calls >= self.most_calls:
            return f"{self.most_calls} calls of hosted models"
        if self.tokens >= self.most_tokens:
            return f"{self.most_tokens} tokens of hosted models"
        return ""

    def describe(self) -> str:
        """A note for the reply; empty where no hosted model was asked."""
        if not self.calls:
            return ""
        calls = f"{self.calls} call{'s' if self.calls > 1 else ''}"
        tokens = f" and {self.tokens} tokens" if self.tokens else ""
        return f"hosted models took {calls}{tokens}"


_SPENDING: ContextVar[Spending | None] = ContextVar("spending", default=None)


@contextmanager
def count_spending(most_calls: int, most_tokens: int) -> Iterator[Spending]:
    """Count what hosted models cost inside, for all methods that are asked there."""
    spending = Spending(most_calls, most_tokens)
    token = _SPENDING.set(spending)
    try:
        yield spending
    finally:
        _SPENDING.reset(token)


def get_spending() -> Spending | None:
    """What the current question has cost; None outside of one."""
    return _SPENDING.get()
