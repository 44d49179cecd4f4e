"""Query evidence: for each answer of a query the facts that it is read from.

The query's pattern is run again, with all that it matches returned. An answer's facts are the
matches of its own row, and of no other. Beside these are facts that no answer is read from, but
that explain it (`explaining_facts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from trellis.automata.cypher.meaning.items import WHETHER, ReturnItem
from trellis.automata.cypher.meaning.rendering import render_order
from trellis.automata.cypher.meaning.value_rendering import render_operand
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import Cell, Rows
from trellis.steps.describe.queries.read_meaning import QueryMeaning, read_meaning
from trellis.steps.ground.fair_facts import MOST_OF_ONE, MOST_SHOWN
from trellis.steps.ground.queries.answer_cells import list_answers, list_cell_answers, make_cell_key
from trellis.steps.ground.queries.explaining_facts import AnswerExplanation, explain_rows
from trellis.steps.ground.queries.matches import (
    EvidencePattern,
    arrange_meaning,
    match_pattern,
    read_matches,
)
from trellis.steps.ground.queries.run_queries import QueryRun

MOST_MATCHES = 1_000
"""The most matches that are read of a query whose answers are values."""

_MOST_OF_YES = 10
"""The most matches that are read of a question that asks whether there are any."""


@dataclass(frozen=True, slots=True)
class QueryEvidence:
    """The facts of a query's answers.

    `cited`: for each answer the numbers of its facts. `totals`: how many it has, where that is
    known. `explanation`: what explains the answers, but shows none of them.
    """

    facts: tuple[Fact, ...] = ()
    cited: Mapping[Node, tuple[int, ...]] = field(default_factory=dict)
    totals: Mapping[Node, int] = field(default_factory=dict)
    explanation: AnswerExplanation = field(default_factory=AnswerExplanation)

    def find_facts(self, answer: Node) -> tuple[int, ...]:
        """The numbers of the facts of an answer."""
        return self.cited.get(answer, ())

    def count_facts(self, answers: Sequence[Node]) -> int:
        """How many facts some answers have, those included that were not read."""
        shown = {number for answer in answers for number in self.find_facts(answer)}
        unread = (self.totals.get(it, 0) - len(self.find_facts(it)) for it in answers)
        return len(shown) + sum(max(0, number) for number in unread)


async def read_query_evidence(queries: Queries, run: QueryRun, schema: Schema) -> QueryEvidence:
    """The evidence of all answers of a run; empty where its pattern cannot be run again."""
    read = read_meaning(run.query)
    meaning = arrange_meaning(read) if read and read.graph.items else None
    if meaning is None or run.rows is None:
        return QueryEvidence()
    reader = _EvidenceReader(queries, run.rows, meaning, schema)
    explanation = await explain_rows(queries, run, meaning, schema)
    for fact in explanation.cited:
        for answer in list_answers(run.rows, schema, None):
            reader.cite(answer, fact)
    await reader.read_all_facts()
    return reader.build_evidence(explanation)


class _EvidenceReader:
    """Reads the matches of one query, by what its first item is, and which answers they are of."""

    def __init__(self, queries: Queries, rows: Rows, meaning: QueryMeaning, schema: Schema) -> None:
        self._queries = queries
        self._rows = rows.rows
        self._graph = meaning.graph
        self._item = meaning.graph.items[0]
        self._schema = schema
        self._pattern: EvidencePattern = match_pattern(meaning, schema)
        self._answers = list_answers(rows, schema, None)
        self.facts: dict[Fact, int] = {}
        self.cited: dict[Node, dict[int, None]] = {}
        self.totals: dict[Node, int] = {}

    def cite(self, answer: Node, fact: Fact | None) -> None:
        """One more fact of an answer."""
        if fact is not None:
            number = self.facts.setdefault(fact, len(self.facts))
            self.cited.setdefault(answer, {})[number] = None

    def build_evidence(self, explanation: AnswerExplanation) -> QueryEvidence:
        """What was read, with the facts in the order of the answers."""
        ordered = dict.fromkeys(it for answer in self._answers for it in self.cited.get(answer, ()))
        numbers = {old: new for new, old in enumerate(ordered)}
        facts = tuple(self.facts)
        cited = {
            answer: tuple(sorted(numbers[it] for it in of if it in numbers))
            for answer, of in self.cited.items()
        }
        return QueryEvidence(tuple(facts[it] for it in ordered), cited, self.totals, explanation)

    async def read_all_facts(self) -> None:
        """Read the matches of all answers."""
        item = self._item
        is_node = not (item.is_aggregate or item.key) and item.edge is None
        if is_node and item.node in self._pattern.nodes:
            await self._read_by_node([node.id for node in self._answers if node.id])
        elif item.form.function == "count" and len(self._rows) == 1 and not self._list_keys():
            await self._read_counted()
        else:
            await self._read_by_value()

    async def _read_by_node(self, ids: Sequence[str]) -> None:
        """The matches of each answer that is a node: at most some of each."""
        most = max(MOST_OF_ONE, MOST_SHOWN // max(1, len(ids)))
        cells = ", ".join(self._pattern.variables)
        ending = (
            f"WITH DISTINCT {cells}\nWHERE elementId(x{self._item.node}) IN $answers\n"
            f"WITH x{self._item.node} AS answer, collect([{cells}])[..{most}] AS kept, "
            "count(*) AS total\n"
            "UNWIND kept AS matched\nRETURN answer, total, matched"
        )
        rows = await self._run(ending, len(ids) * most, answers=list(ids))
        places = {id: place for place, id in enumerate(ids)}
        for cell, total, matched in sorted(rows, key=lambda row: places[row[0].id]):
            [answer] = list_cell_answers(cell, self._schema)
            self.cite(answer, self._pattern.read_fact(matched, answer))
            self.totals[answer] = total

    async def _read_counted(self) -> None:
        """One match of each thing that was counted."""
        [answer] = self._answers
        seen = set[Any]()
        for member, *matched in await self._run(self._write_matches([self._item]), MOST_MATCHES):
            key = make_cell_key(member)
            if key not in seen or not self._item.form.distinct:
                self.cite(answer, self._pattern.read_fact(matched))
            seen.add(key)
        if isinstance(count := self._rows[0][0], int):
            self.totals[answer] = count

    async def _read_by_value(self) -> None:
        """The matches of each row, found by the values that rows are told apart by."""
        keys = self._list_keys()
        most = _MOST_OF_YES if self._item.form == WHETHER else MOST_MATCHES
        ending = self._write_matches([self._item, *keys])
        rows: Sequence[Sequence[Cell]] = ()
        if self._item in keys:
            given = [row[0] for row in self._rows if row[0] is not None]
            rows = await self._run(f"{self._write_filter()}\n{ending}", most, answers=given)
        rows = rows or await self._run(ending, most)
        answers = self._map_answers()
        for operand, *cells in rows:
            fact = self._pattern.read_fact(cells[len(keys) :])
            for answer in self._find_answers(operand, cells[: len(keys)], answers):
                self.cite(answer, fact)

    def _list_keys(self) -> list[ReturnItem]:
        """The items that tell rows apart: those that are no aggregates."""
        return [item for item in self._graph.items if not item.is_aggregate]

    def _map_answers(self) -> Mapping[Any, list[Node]]:
        """The answers of the rows, by the values that tell these apart."""
        columns = [i for i, item in enumerate(self._graph.items) if not item.is_aggregate]
        answers: dict[Any, list[Node]] = {}
        for row in self._rows:
            key = tuple(make_cell_key(row[column]) for column in columns)
            answers.setdefault(key, []).extend(list_cell_answers(row[0], self._schema))
        return answers

    def _find_answers(
        self, operand: Cell, keys: Sequence[Cell], answers: Mapping[Any, list[Node]]
    ) -> Iterator[Node]:
        """The answers that a match leads to. Rows of groups that are not returned cannot be told
        apart: a match of these leads to none."""
        of_row = dict.fromkeys(answers.get(tuple(map(make_cell_key, keys)), ()))
        if self._item.form.function in ("min", "max", "collect"):
            own = list_cell_answers(operand, self._schema)
            yield from (answer for answer in of_row if answer in own)
        elif len(of_row) == 1 or (self._item in self._graph.items and not self._item.is_aggregate):
            yield from of_row

    def _write_filter(self) -> str:
        """The clause that keeps the matches of rows whose first value is one of `$answers`."""
        variables = ", ".join(self._pattern.variables)
        return f"WITH DISTINCT {variables}\nWHERE {render_operand(self._item)} IN $answers"

    def _write_matches(self, items: Sequence[ReturnItem]) -> str:
        """The clause that returns the operands of some items and then the matches, those that
        decide first."""
        plain = [replace(item, form=replace(item.form, function="")) for item in items]
        named = [f"{render_operand(item)} AS k{at}" for at, item in enumerate(plain)]
        returned = f"RETURN DISTINCT {', '.join((*named, *self._pattern.variables))}"
        order = self._write_order()
        return f"{returned}\nORDER BY {order}" if order else returned

    def _write_order(self) -> str:
        """By what matches are sorted: the order of the rows, or the value of an extreme."""
        if self._item.is_aggregate and self._item.key:
            return "k0 ASC" if self._item.form.function == "min" else "k0 IS NULL, k0 DESC"
        keys = [order for order in self._graph.orders if not order.item.is_aggregate]
        return ", ".join(
            render_order(self._graph, order, render_operand(order.item)) for order in keys
        )

    async def _run(self, ending: str, most: int, **params: Any) -> Sequence[Sequence[Cell]]:
        return await read_matches(self._queries, self._pattern, ending, most, **params)
