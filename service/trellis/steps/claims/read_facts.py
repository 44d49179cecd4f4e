"""Read facts: what the forms of a claim speak of, a level of their trees at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from trellis.domain.graphs.graph import Node, Step, Triple
from trellis.domain.identifiers import quote_name
from trellis.domain.ports import Queries
from trellis.domain.replies.claims import ClaimForm, ClaimMention
from trellis.domain.structures.cypher import CypherQuery, QueryLimits, write_value
from trellis.domain.structures.question_patterns import MentionNode
from trellis.steps.claims.fact_table import (
    PROPERTY,
    FactKey,
    FactTable,
    is_property,
)
from trellis.steps.claims.judge_form import list_branches

_MOST_ROWS = 2_000  # relationships that one reading may give
_MOST_NODES = 2_000  # nodes that are read from at once
_DEEPEST = 4  # levels of a tree


@dataclass
class FactReader:
    """Reads facts through the gate, each once; `names`: the properties by which nodes are named."""

    queries: Queries
    names: Sequence[str]
    existing: frozenset[FactKey] = frozenset()
    _triples: dict[FactKey, list[Triple]] = field(default_factory=dict)
    _cut: set[FactKey] = field(default_factory=set)

    @property
    def table(self) -> FactTable:
        return FactTable(self._triples, frozenset(self._cut), self.existing)

    async def read_forms(
        self, forms: Sequence[ClaimForm], mentions: Sequence[ClaimMention]
    ) -> FactTable:
        """The facts that decide some forms of a claim."""
        for _ in range(_DEEPEST):
            wanted = {key for form in forms for key in self._list_wanted(form, mentions)}
            if not wanted - self._triples.keys():
                break
            await self.read_keys(wanted)
        return self.table

    async def read_keys(self, wanted: Iterable[FactKey]) -> None:
        """Read what some steps from some nodes lead to."""
        nodes_of: dict[Step, set[str]] = defaultdict(set)
        for node, step in wanted:
            if (node, step) not in self._triples:
                nodes_of[step].add(node)
        steps_of: dict[tuple[frozenset[str], bool, bool], list[Step]] = defaultdict(list)
        for step, nodes in nodes_of.items():
            steps_of[frozenset(nodes), step.reversed, is_property(step)].append(step)
        for (together, is_reversed, are_properties), steps in steps_of.items():
            if are_properties:
                await self._read_properties(together, steps)
            else:
                await self._read_relationships(together, steps, is_reversed)

    def _list_wanted(self, form: ClaimForm, mentions: Sequence[ClaimMention]) -> Iterator[FactKey]:
        """The facts that a form needs, as far as those read tell."""
        places, compares = form.pattern.nodes, form.operator.kind in ("values", "counts", "extreme")
        nodes: dict[int, Sequence[Node]] = {0: _list_nodes(places[0], mentions)}
        for branches in list_branches(form).values():
            for branch in branches:
                child = places[branch.child]
                named = _list_nodes(child, mentions)
                if named:
                    nodes[branch.child] = named
                    if branch.step.reversed or compares:
                        yield from ((node.id, branch.step.turn()) for node in named)
                        continue
                ends: list[Node] = []
                for node in nodes.get(branch.parent, ()):
                    yield node.id, branch.step
                    ends += [n for n, _ in self.table.list_ends(node, branch.step) if n.id]
                if not isinstance(child, MentionNode):
                    nodes[branch.child] = list(dict.fromkeys(ends))[:_MOST_NODES]
        if form.operator.kind == "extreme":
            yield from self._list_rivals(form, mentions)

    def _list_rivals(self, form: ClaimForm, mentions: Sequence[ClaimMention]) -> Iterator[FactKey]:
        """The values of all that have to the second node what the topic has."""
        branches = list_branches(form)[0]
        for shared in branches:
            for group in _list_nodes(form.pattern.nodes[shared.child], mentions):
                rivals = self.table.list_ends(group, shared.step.turn())
                for value in branches:
                    if value is not shared:
                        yield from ((rival.id, value.step) for rival, _ in rivals if rival.id)

    async def _read_relationships(
        self, nodes: frozenset[str], steps: Sequence[Step], is_reversed: bool
    ) -> None:
        arrow = "<-[r]-" if is_reversed else "-[r]->"  # types are given, so that plans are reused
        shown = ", ".join(f"elementId({n}), {self._name(n)}" for n in ("s", "o"))
        where = "elementId(s) IN $nodes AND type(r) IN $types"
        types = [step.relation for step in steps]
        query = CypherQuery(
            f"MATCH (s){arrow}(o) WHERE {where} RETURN type(r), {shown}",
            {"nodes": sorted(nodes)[:_MOST_NODES], "types": types},
        )
        rows = await self.queries.run(query, QueryLimits(rows=_MOST_ROWS))
        if rows.cut and len(nodes) * len(steps) > 1:
            await self._read_apart(nodes, steps, is_reversed)
            return
        keys = {(node, step) for node in nodes for step in steps}
        for key in keys:
            self._triples[key] = []
        if rows.cut or len(nodes) > _MOST_NODES:
            self._cut |= keys
        for relation, source_id, source, target_id, target in rows.rows:
            start, end = Node(source_id, str(source)), Node(target_id, str(target))
            triple = Triple(*((end, relation, start) if is_reversed else (start, relation, end)))
            self._triples[source_id, Step(relation, is_reversed)].append(triple)

    def _name(self, node: str) -> str:
        """The expression of a node's name; no node is sent whole, as it may hold a vector."""
        names = ", ".join(f"{node}.{quote_name(name)}" for name in self.names)
        return f"coalesce({names}{', ' if names else ''}'')"

    async def _read_apart(
        self, nodes: Collection[str], steps: Sequence[Step], is_reversed: bool
    ) -> None:
        """Read in halves, so that only what is too much alone is cut."""
        if len(steps) > 1:
            for step in steps:
                await self._read_relationships(frozenset(nodes), [step], is_reversed)
            return
        ordered = sorted(nodes)
        for half in (ordered[::2], ordered[1::2]):
            if half:
                await self._read_relationships(frozenset(half), steps, is_reversed)

    async def _read_properties(self, nodes: Collection[str], steps: Sequence[Step]) -> None:
        properties = [step.relation.removeprefix(PROPERTY) for step in steps]
        values = ", ".join(f"s.{quote_name(name)}" for name in properties)
        text = (
            f"MATCH (s) WHERE elementId(s) IN $nodes "
            f"RETURN elementId(s), {self._name('s')}, {values}"
        )
        query = CypherQuery(text, {"nodes": sorted(nodes)[:_MOST_NODES]})
        rows = await self.queries.run(query, QueryLimits(rows=_MOST_NODES))
        for node in nodes:
            for step in steps:
                self._triples[node, step] = []
        for id, name, *cells in rows.rows:
            for step, key, value in zip(steps, properties, cells, strict=True):
                if value is not None:
                    end = Node("", write_value(value))
                    self._triples[id, step] = [Triple(Node(id, str(name)), key, end)]


def _list_nodes(place: object, mentions: Sequence[ClaimMention]) -> Sequence[Node]:
    return mentions[place.index].nodes if isinstance(place, MentionNode) else ()
