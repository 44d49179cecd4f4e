"""Rank queries: choose the candidate that answers the question, and turn its rows into answers.

Candidates that give the same rows mean the same, and so do those that give nodes or their names:
their probabilities are added. Rows that are empty or all zeros weigh less, and so do rows without a
number where one is asked for.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from trellis.domain.calibration import temper_probabilities
from trellis.domain.cypher import Cell, Rows, write_value
from trellis.domain.decoding import Sentence
from trellis.domain.graph import Node, Triple, Walk
from trellis.domain.links import Mention
from trellis.domain.question import asks_for_number
from trellis.domain.schema import Schema
from trellis.steps.queries.naming_form import read_without_form
from trellis.steps.queries.run_queries import QueryRun
from trellis.steps.queries.value_mentions import is_scattered, value_name
from trellis.steps.shared.asked_value import asks_measure

_MISSING_VALUE_WEIGHT = (
    0.02  # weight of a query for each value of the question not used exactly once
)
_EMPTY_ROWS_WEIGHT = 0.02  # weight of a query that gives nothing
_NO_NUMBER_WEIGHT = 0.3  # weight of a query that gives no number where one is asked for
_CERTAIN_BELIEF = 0.5  # belief from which a query that gives nothing means that there is none


def reweigh_sentences(sentences: Sequence[Sentence], mentions: Sequence[Mention]) -> list[Sentence]:
    """The sentences with their scores lowered for wrong use of the question's values, best first.

    A sentence that omits a value of the question, or repeats it, is weighed down: hardly one value
    in fifty is in a question without need.
    """
    names = {value_name(i): m for i, m in enumerate(mentions) if not is_scattered(m)}
    reweighed = []
    for sentence in sentences:
        counts = Counter(sentence.text.split())
        misuses = sum(abs(count_uses(counts, name, mention) - 1) for name, mention in names.items())
        reweighed.append(
            replace(sentence, score=sentence.score + misuses * math.log(_MISSING_VALUE_WEIGHT))
        )
    return sorted(reweighed, key=lambda sentence: -sentence.score)


def count_uses(words: Counter[str], name: str, mention: Mention) -> int:
    """How often the words of a sentence use a mention: its name, or its number as one of rows."""
    literals = (link.stored.value for link in mention.links if link.stored.is_literal())
    return words[name] + sum(words[str(value)] for value in literals if type(value) is int)


@dataclass(frozen=True, slots=True)
class QueryChoice:
    """The best candidate, and the belief in its rows.

    `belief`: the probability of all candidates with the same rows; `next_belief`: that of the next
    best rows. Both in [0, 1].
    """

    run: QueryRun
    belief: float
    next_belief: float = 0.0

    @property
    def claims_none(self) -> bool:
        """Whether its answer is that there is none: it gives only zeros, nulls or no row."""
        return not self.run.has_results and self.belief >= _CERTAIN_BELIEF

    @property
    def is_settled(self) -> bool:
        """Whether it gives answers, or is probable enough to mean that there are none."""
        return self.run.has_results or self.claims_none


def choose_query(
    question: str,
    runs: Sequence[QueryRun],
    temperature: float = 1.0,
    share: float = 1.0,
    schema: Schema | None = None,
) -> QueryChoice | None:
    """The best candidate that ran, whether or not it gives anything; None where none ran.

    `temperature`: the calibrated temperature of the model's probabilities. `share`: that of the
    candidates run among all that were written. `schema`: by which nodes and what names them
    are told to be the same answer.
    """
    chances = temper_probabilities([run.probability for run in runs], temperature)
    ran = [(run, chance) for run, chance in zip(runs, chances, strict=True) if run.rows is not None]
    if not ran:
        return None
    rows = [_make_rows_key(run.rows) for run, _ in ran]
    answers = _group_answers([run for run, _ in ran], rows, schema)
    shares: dict[int, float] = defaultdict(float)
    forms: dict[Hashable, float] = defaultdict(float)
    for (_, chance), answer, form in zip(ran, answers, rows, strict=True):
        shares[answer] += chance
        forms[form] += chance
    ratings = [
        (shares[answer] * _rate_fit(question, run), forms[form])
        for (run, _), answer, form in zip(ran, answers, rows, strict=True)
    ]
    first = ratings.index(max(ratings))
    best, chosen = ran[first][0], answers[first]
    belief = share * shares.pop(chosen)
    following = share * max(shares.values(), default=0.0)
    return QueryChoice(best, min(1.0, belief), min(1.0, following))


def _group_answers(
    runs: Sequence[QueryRun], rows: Sequence[Hashable], schema: Schema | None
) -> list[int]:
    """For each run the number of its answer: runs with the same rows give the same one, and so do
    those that give nodes, or what names them, and otherwise ask for the same. `rows`: their keys.
    """
    numbers: list[int] = []
    seen: dict[Hashable, int] = {}
    for run, its_rows in zip(runs, rows, strict=True):
        keys = [("rows", its_rows)]
        if schema is not None:
            keys.append(("meaning", read_without_form(run.query, schema)))
        found = {seen[key] for key in keys if key in seen} or {len(runs) + len(numbers)}
        number = min(found)
        numbers = [number if each in found else each for each in numbers] + [number]
        seen = {key: number if each in found else each for key, each in seen.items()}
        seen.update(dict.fromkeys(keys, number))
    return numbers


def measure_share(kept: Sequence[Sentence], written: Sequence[Sentence]) -> float:
    """The share of the probability of some sentences in that of all."""
    total = sum(math.exp(sentence.score) for sentence in written)
    return sum(math.exp(sentence.score) for sentence in kept) / total if total else 1.0


def list_answers(rows: Rows, schema: Schema, limit: int | None) -> list[Node]:
    """The first column's cells as nodes, each once; a value is a node without an id."""
    nodes = dict.fromkeys(node for row in rows.rows for node in list_cell_answers(row[0], schema))
    return list(nodes)[:limit]


def list_cell_answers(cell: Cell, schema: Schema) -> list[Node]:
    """The answers that one cell gives: itself, or the items of a list; none for null."""
    cells = cell if isinstance(cell, list | tuple) else (cell,)
    return [_convert_to_node(each, schema) for each in cells if each is not None]


def list_row_nodes(row: Sequence[Cell], schema: Schema) -> list[Node]:
    """The answers that one row gives: those of its first cell."""
    return list_cell_answers(row[0], schema)


def find_single_number(rows: Rows) -> int | None:
    """The whole number where the rows are a single cell with one; else None."""
    if len(rows.rows) != 1 or len(rows.rows[0]) != 1:
        return None
    [cell] = rows.rows[0]
    return cell if isinstance(cell, int) and not isinstance(cell, bool) else None


def _make_rows_key(rows: Rows | None) -> Hashable:
    """Rows as a set, by which queries of the same meaning are recognised."""
    return frozenset(tuple(map(make_cell_key, row)) for row in rows.rows) if rows else None


def make_cell_key(cell: Cell) -> Hashable:
    """A hashable key by which cells are compared: of a node its id."""
    if isinstance(cell, Node):
        return "node", cell.id
    if isinstance(cell, list | tuple):
        return tuple(map(make_cell_key, cell))
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell if isinstance(cell, Hashable) else repr(cell)


def _rate_fit(question: str, run: QueryRun) -> float:
    """The weight of a run's rows: lower where empty, or without the number asked for."""
    counts = run.rows is not None and find_single_number(run.rows) is not None
    asked = asks_for_number(question) and not asks_measure(question)
    return (1.0 if run.has_results else _EMPTY_ROWS_WEIGHT) * (
        1.0 if counts or not asked else _NO_NUMBER_WEIGHT
    )


def _convert_to_node(cell: Cell, schema: Schema) -> Node:
    if isinstance(cell, Node):
        return name_by_property(cell, schema)
    if isinstance(cell, Triple | Walk):
        return cell.tail
    return Node("", write_value(cell))


def name_by_property(node: Node, schema: Schema) -> Node:
    """The node; where it has no name, a unique or indexed property becomes its name."""
    if node.name != node.id:
        return node
    labels = [known for label in node.labels if (known := schema.label(label))]
    identifying = [p for label in labels for p in label.properties if p.unique or p.indexed]
    for kind in sorted(identifying, key=lambda p: (not p.unique, p.name)):
        value = (node.properties or {}).get(kind.name)
        if value is not None:
            return replace(node, name=write_value(value))
    return node
