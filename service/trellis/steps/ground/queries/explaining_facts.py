"""Explaining facts: what explains the answers of a query beside the matches of their rows.

Of first ones in an order the next one; of a number the values that it was made of; of a `no` the
values that were compared, or what there is instead; of a negation what others have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.meaning.items import (
    LIST,
    RETURN_FORMS,
    WHETHER,
    ReturnForm,
    ReturnItem,
)
from trellis.automata.cypher.meaning.query import (
    TURNED,
    QueryEdge,
    QueryFilter,
    QueryGraph,
    QueryNode,
)
from trellis.automata.cypher.meaning.rendering import render_query
from trellis.automata.cypher.meaning.unfolding import require_denied
from trellis.automata.cypher.meaning.value_rendering import render_operand
from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import Cell, CypherQuery, QueryLimits, write_value
from trellis.steps.describe.queries.read_meaning import QueryMeaning
from trellis.steps.ground.queries.answer_cells import list_cell_answers
from trellis.steps.ground.queries.matches import match_pattern, read_matches
from trellis.steps.ground.queries.run_queries import QueryRun

MOST_OF_OTHERS = 10
"""The most facts that are shown of what is no answer."""

_FORMS: dict[str, ReturnForm] = {form.word: form for form in RETURN_FORMS}
_LIMIT = re.compile(r"(?<=\nLIMIT )\d+\Z")
_ORDERED_AGGREGATES = ("min", "max")
_NUMBERS = ("sum", "avg", *_ORDERED_AGGREGATES)


@dataclass(frozen=True, slots=True)
class AnswerExplanation:
    """What explains the answers of a query.

    `cited`: facts that all answers stand on. `beside`: facts that show none of them. `notes`: what
    was looked for, and how much of it is shown.
    """

    cited: tuple[Fact, ...] = ()
    beside: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()


async def explain_rows(
    queries: Queries, run: QueryRun, meaning: QueryMeaning, schema: Schema
) -> AnswerExplanation:
    """What explains the rows of a run; empty where nothing does."""
    reader = _ExplanationReader(queries, run, meaning, schema)
    parts = [
        await reader.find_next(),
        await reader.find_range(),
        await reader.find_compared(),
        await reader.find_denied(),
    ]
    return AnswerExplanation(
        tuple(fact for part in parts for fact in part.cited),
        tuple(fact for part in parts for fact in part.beside),
        tuple(note for part in parts for note in part.notes),
    )


class _ExplanationReader:
    """Reads what explains the rows of one query."""

    def __init__(
        self, queries: Queries, run: QueryRun, meaning: QueryMeaning, schema: Schema
    ) -> None:
        self._queries = queries
        self._run = run
        self._rows = run.rows.rows if run.rows else ()
        self._meaning = meaning
        self._graph = meaning.graph
        self._item = meaning.graph.items[0]
        self._schema = schema

    async def find_next(self) -> AnswerExplanation:
        """What comes behind the last one of an order of which the first are asked for."""
        graph = self._graph
        if not graph.limit or not graph.orders or len(self._rows) != graph.limit:
            return AnswerExplanation()
        if graph.orders[0].item.is_aggregate:
            return await self._find_next_group()
        longer = _LIMIT.sub(str(graph.limit + 1), self._run.query.text)
        rows = await self._read(replace(self._run.query, text=longer), graph.limit + 1)
        given = {node for row in self._rows for node in list_cell_answers(row[0], self._schema)}
        following = rows[graph.limit][0] if len(rows) > graph.limit else None
        if not given.isdisjoint(list_cell_answers(following, self._schema)):
            return AnswerExplanation()
        facts = await self._read_row_facts(following)
        return AnswerExplanation(beside=tuple(_mark(fact, "the next one") for fact in facts))

    async def _find_next_group(self) -> AnswerExplanation:
        """The numbers of the groups that won, and of the one behind them."""
        graph, order = self._graph, self._graph.orders[0].item
        items = (*graph.items, order)
        whole = replace(graph, items=items, limit=(graph.limit or 0) + 1)
        [query, *_] = render_query(whole, self._meaning.values)
        rows = await self._read(query, (graph.limit or 0) + 1)
        told = [
            f"{names[0].name} {write_value(row[-1])}"
            for row in rows
            if (names := list_cell_answers(row[0], self._schema)) and row[-1] is not None
        ]
        if graph.items[0].is_aggregate or not told:
            return AnswerExplanation()
        winners, following = told[: graph.limit], told[graph.limit or 0 :]
        behind = f"; the next one: {following[0]}" if following else ""
        text = f"{self._describe_aggregate(order)}: {', '.join(winners[:MOST_OF_OTHERS])}{behind}"
        return AnswerExplanation(cited=(Fact(text, ()),))

    async def find_range(self) -> AnswerExplanation:
        """How many values a number was made of, from where to where; of an extreme the next one."""
        item, function = self._item, self._item.form.function
        is_single = len(self._rows) == len(self._graph.items) == 1 and not self._graph.groups
        if function not in _NUMBERS or not item.key or not is_single or self._graph.orders:
            return AnswerExplanation()
        forms = [_FORMS[word] for word in ("count values", "minimum", "maximum")]
        items = tuple(replace(item, form=form) for form in forms)
        [query, *_] = render_query(replace(self._graph, items=items), self._meaning.values)
        for count, least, most in await self._read(query, 1):
            if count:
                text = (
                    f"{self._describe_aggregate(item)}: {count:,} values, "
                    f"from {write_value(least)} to {write_value(most)}"
                )
                return AnswerExplanation(
                    cited=(Fact(text, ()),), beside=await self._find_next_value()
                )
        return AnswerExplanation()

    async def _find_next_value(self) -> tuple[Fact, ...]:
        """The fact of the value that comes behind a least or greatest one."""
        item = self._item
        if item.form.function not in _ORDERED_AGGREGATES:
            return ()
        sign, order = (">", "ASC") if item.form.function == "min" else ("<", "DESC")
        pattern = match_pattern(self._meaning, self._schema)
        variables = ", ".join(pattern.variables)
        value = render_operand(replace(item, form=replace(item.form, function="")))
        ending = (
            f"WITH DISTINCT {variables}\nWHERE {value} {sign} $than\n"
            f"RETURN {variables}\nORDER BY {value} {order}\nLIMIT 1"
        )
        rows = await read_matches(self._queries, pattern, ending, 1, than=self._rows[0][0])
        return tuple(
            _mark(fact, "the next one") for row in rows if (fact := pattern.read_fact(row))
        )

    async def find_compared(self) -> AnswerExplanation:
        """Where nothing matches: the values that were compared, or what there is instead."""
        is_none = self._rows and self._rows[0][0] in (False, 0) and len(self._graph.items) == 1
        if not is_none or self._item.form.function not in (WHETHER.function, "count"):
            return AnswerExplanation()
        relaxed = replace(
            self._graph, nodes=tuple(self._keep_naming(node) for node in self._graph.nodes)
        )
        if relaxed != self._graph and (compared := await self._read_pattern(relaxed)):
            return AnswerExplanation(cited=compared)
        instead = [
            fact
            for named, other, edge in self._list_named_ends(relaxed)
            for fact in await self._read_pattern(_make_edge(named, other, edge))
        ]
        if not instead:
            return AnswerExplanation()
        note = "nothing is as the question says; the facts show what there is instead"
        return AnswerExplanation(cited=tuple(dict.fromkeys(instead)), notes=(note,))

    async def find_denied(self) -> AnswerExplanation:
        """What others have that the answers must not have."""
        required = require_denied(self._graph)
        if required is None:
            return AnswerExplanation()
        facts = await self._read_pattern(required, MOST_OF_OTHERS + 1)
        denied = [
            edge.type
            for edge in self._graph.edges
            if edge.scope and self._graph.scopes[edge.scope - 1].kind == "none" and edge.type
        ]
        more = "the first " if len(facts) > MOST_OF_OTHERS else ""
        shown = facts[:MOST_OF_OTHERS]
        found = (
            f"{more}{len(shown)} facts of others that have it are shown"
            if shown
            else "nobody has it"
        )
        note = f"looked for {' and '.join(dict.fromkeys(denied))}, which no answer has: {found}"
        return AnswerExplanation(beside=tuple(_mark(it, "another") for it in shown), notes=(note,))

    async def _read_pattern(
        self, graph: QueryGraph, most: int = MOST_OF_OTHERS
    ) -> tuple[Fact, ...]:
        """The first matches of another pattern with the values of the query."""
        pattern = match_pattern(self._meaning, self._schema, graph, self._graph)
        ending = f"RETURN DISTINCT {', '.join(pattern.variables)}\nLIMIT {most}"
        rows = await read_matches(self._queries, pattern, ending, most)
        return tuple(dict.fromkeys(fact for row in rows if (fact := pattern.read_fact(row))))

    async def _read_row_facts(self, cell: Cell) -> list[Fact]:
        """One fact of the row that has a first cell."""
        pattern = match_pattern(self._meaning, self._schema)
        operand = render_operand(self._item)
        value = cell.id if isinstance(cell, Node) else cell
        of = f"elementId({operand})" if isinstance(cell, Node) else operand
        variables = ", ".join(pattern.variables)
        ending = f"WITH DISTINCT {variables}\nWHERE {of} = $row\nRETURN {variables}\nLIMIT 1"
        rows = await read_matches(self._queries, pattern, ending, 1, row=value)
        return [fact for row in rows if (fact := pattern.read_fact(row))]

    async def _read(self, query: CypherQuery, most: int) -> Sequence[Sequence[Cell]]:
        try:
            return (await self._queries.run(query, QueryLimits(rows=most))).rows
        except (RefusedQueryError, QueryError, GraphTimeoutError):
            return ()

    def _describe_aggregate(self, item: ReturnItem) -> str:
        """What a number is made of: `count of River`, `average of area_km2`."""
        of = item.key or self._graph.nodes[item.node].label or "nodes"
        return f"{item.form.word.replace(' distinct', '').replace(' all', '')} of {of}"

    def _keep_naming(self, node: QueryNode) -> QueryNode:
        """The node without its comparisons, but for the text that it is found by."""
        return replace(node, filters=tuple(filter(self._is_naming, node.filters))[:1])

    def _is_naming(self, each: QueryFilter) -> bool:
        values = [self._meaning.values[i].value for i in each.values]
        is_plain = each.operator == "=" and not (each.is_negated or each.part or each.reference)
        return is_plain and any(isinstance(value, str) for value in values)

    def _list_named_ends(self, graph: QueryGraph) -> list[tuple[QueryNode, QueryNode, QueryEdge]]:
        """The relationships of named nodes: the node, the one at the other end, the edge as it
        leads to that."""
        found = []
        for edge in graph.edges:
            kind = graph.scopes[edge.scope - 1].kind if edge.scope else "some"
            if edge.type and kind == "some":
                source, target = (_resolve(graph, end) for end in (edge.source, edge.target))
                if source.filters:
                    found.append((source, target, edge))
                if target.filters:
                    turned = replace(edge, direction=TURNED[edge.direction])
                    found.append((target, source, turned))
        return found


def _resolve(graph: QueryGraph, number: int) -> QueryNode:
    """A node of the pattern; where it stands for an earlier one, that."""
    same = graph.nodes[number].same
    return graph.nodes[number if same is None else same]


def _make_edge(named: QueryNode, other: QueryNode, edge: QueryEdge) -> QueryGraph:
    """The pattern of one relationship of a named node, whatever is at its other end."""
    plain = replace(named, scope=0, same=None), QueryNode(other.label)
    joined = QueryEdge(0, 1, edge.type, edge.direction)
    return QueryGraph(plain, (joined,), (ReturnItem(LIST, 0, ""),))


def _mark(fact: Fact, role: str) -> Fact:
    """The fact with what it is beside the answers, in its text."""
    return replace(fact, text=f"{fact.text} ({role})")
