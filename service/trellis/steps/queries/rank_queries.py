"""Rank queries: which of the candidates that ran is what was asked, and its rows as answers.

Candidates that give the same rows say the same, and share their probability. Rows that are empty
or nothing but zeros are believed less, and so is what does not fit what was asked for.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from trellis.domain.calibration import tempered
from trellis.domain.cypher import Cell, Rows
from trellis.domain.decoding import Sentence
from trellis.domain.graph import Node, Triple, Walk
from trellis.domain.question import asks_for_number
from trellis.domain.schema import Schema
from trellis.steps.queries.run_queries import QueryRun
from trellis.steps.queries.value_mentions import ValueMention, value_name

_UNSAID = 0.02  # how much is believed of what says a value of the question not once
_EMPTY = 0.02  # how much is believed of what gives nothing
_UNFIT = 0.3  # … of what gives no number where one was asked for
_SURE = 0.5  # from which a query that gives nothing is believed: there is none


def weighed(sentences: Sequence[Sentence], mentions: Sequence[ValueMention]) -> list[Sentence]:
    """The sentences, best first, those worth less that leave out what the question says, or say
    it twice: hardly one value in fifty is said for nothing."""
    names = [value_name(i) for i, mention in enumerate(mentions) if not mention.stays]
    found = []
    for sentence in sentences:
        often = Counter(sentence.text.split())
        odd = sum(abs(often[name] - 1) for name in names)
        found.append(replace(sentence, score=sentence.score + odd * math.log(_UNSAID)))
    return sorted(found, key=lambda one: -one.score)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The best candidate, and how probable it is that its rows are what was asked for, and that
    the `next` best are."""

    run: QueryRun
    belief: float
    next: float = 0.0

    @property
    def says_nothing(self) -> bool:
        """Whether that there is none is what it says: a count of 0, no row, nothing in the rows."""
        return not self.run.says_something and self.belief >= _SURE

    @property
    def settled(self) -> bool:
        """Whether it says something, or surely nothing."""
        return self.run.says_something or self.says_nothing


def best_query(question: str, runs: Sequence[QueryRun], temperature: float = 1.0) -> Chosen | None:
    """The best candidate that ran, whether or not it says anything; None where none ran.

    `temperature`: that of the model's probabilities, as they are calibrated.
    """
    chances = tempered([run.probability for run in runs], temperature)
    ran = [(run, chance) for run, chance in zip(runs, chances, strict=True) if run.rows is not None]
    if not ran:
        return None
    shares: dict[Hashable, float] = defaultdict(float)
    for run, chance in ran:
        shares[_meaning(run.rows)] += chance
    best, _ = max(ran, key=lambda one: shares[_meaning(one[0].rows)] * _fit(question, one[0]))
    share = shares.pop(_meaning(best.rows))
    return Chosen(best, min(1.0, share), min(1.0, max(shares.values(), default=0.0)))


def answers_of(rows: Rows, schema: Schema, limit: int | None) -> list[Node]:
    """The first column's cells as nodes, each once; a value is a node without an id."""
    cells = (cell for row in rows.rows for cell in _spread(row[0]) if cell is not None)
    found = dict.fromkeys(_answer(cell, schema) for cell in cells)
    return list(found)[:limit]


def number_of(rows: Rows) -> int | None:
    """The number where a query gave one and nothing else."""
    if len(rows.rows) != 1 or len(rows.rows[0]) != 1:
        return None
    [cell] = rows.rows[0]
    return cell if isinstance(cell, int) and not isinstance(cell, bool) else None


def _meaning(rows: Rows | None) -> Hashable:
    """Rows as a set: equal where they say the same."""
    return frozenset(tuple(map(said, row)) for row in rows.rows) if rows else None


def said(cell: Cell) -> Hashable:
    """A cell as what it is compared by: a node by its id."""
    if isinstance(cell, Node):
        return "node", cell.id
    if isinstance(cell, list | tuple):
        return tuple(map(said, cell))
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell if isinstance(cell, Hashable) else repr(cell)


def _fit(question: str, run: QueryRun) -> float:
    counts = run.rows is not None and number_of(run.rows) is not None
    asked = asks_for_number(question)
    return (1.0 if run.says_something else _EMPTY) * (1.0 if counts or not asked else _UNFIT)


def _spread(cell: Cell) -> Sequence[Cell]:
    return cell if isinstance(cell, list | tuple) else (cell,)


def _answer(cell: Cell, schema: Schema) -> Node:
    if isinstance(cell, Node):
        return _named(cell, schema)
    if isinstance(cell, Triple | Walk):
        return cell.tail
    return Node("", text_of(cell))


def text_of(cell: Cell) -> str:
    """A value as it is answered."""
    if isinstance(cell, bool):
        return str(cell).lower()
    whole = isinstance(cell, float) and math.isfinite(cell) and cell.is_integer()
    return str(int(cell) if whole else cell)


def _named(node: Node, schema: Schema) -> Node:
    """A node without a name answers by a unique or indexed property."""
    if node.name != node.id:
        return node
    kinds = [kind for label in node.labels if (kind := schema.label(label))]
    telling = [p for kind in kinds for p in kind.properties if p.unique or p.indexed]
    for one in sorted(telling, key=lambda one: (not one.unique, one.name)):
        value = (node.properties or {}).get(one.name)
        if value is not None:
            return replace(node, name=text_of(value))
    return node
