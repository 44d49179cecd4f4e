"""Which of very many rows occur more than once, in eight bytes a row."""

from __future__ import annotations

from array import array
from collections.abc import Hashable

import numpy as np


class RepeatedRows:
    """Counts rows by 64 bits of each; two different rows in 10**8 are alike once in 3,000 times.

    A row is first added, in a survey of all of them. Then `is_repeated` says which have an equal
    one, and needs memory for these alone.
    """

    def __init__(self) -> None:
        self._fingerprints = array("q")
        self._repeated: frozenset[int] = frozenset()

    def add(self, row: Hashable) -> None:
        self._fingerprints.append(hash(row))

    def count_distinct(self) -> int:
        """End the survey; returns how many different rows were added."""
        ordered = np.sort(np.frombuffer(self._fingerprints, dtype=np.int64))
        again = ordered[1:][ordered[1:] == ordered[:-1]]
        self._repeated = frozenset(again.tolist())
        self._fingerprints = array("q")
        return int(len(ordered) - len(again))

    def is_repeated(self, row: Hashable) -> bool:
        return hash(row) in self._repeated
