"""Fair facts: which facts are shown where an answer, or all of them, have too many.

Each answer keeps its own first facts: what is shown is bounded for each answer before it is bounded
for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from trellis.domain.graphs.facts import Fact, Statement

MOST_SHOWN = 100
"""The most statements that are shown of all answers, beyond the first fact of each."""

MOST_OF_ONE = 5
"""The most facts that are shown of one answer among many."""


def choose_fairly(
    cited: Sequence[Sequence[int]], facts: Sequence[Fact], keeps_first: bool
) -> list[int]:
    """The numbers of the facts that are shown, in order.

    `cited`: for each answer the numbers of its facts, best first. They are taken in rounds, one of
    each answer, until there are `MOST_SHOWN` statements. `keeps_first`: the first fact of each
    answer is shown even beyond that.
    """
    chosen: dict[int, None] = {}
    statements: set[Statement] = set()
    for turn, numbers in enumerate(zip_longest(*cited)):
        for number in numbers:
            if number is None or number in chosen:
                continue
            added = sum(each not in statements for each in facts[number].statements)
            if len(statements) + added <= MOST_SHOWN or (keeps_first and not turn):
                chosen[number] = None
                statements.update(facts[number].statements)
    return sorted(chosen)
