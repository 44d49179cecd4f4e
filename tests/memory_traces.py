"""Traces by trying every mapping: the reference that all implementations are held to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trellis.domain.errors import PatternError
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.structures.traces import MOST_ANCHORS, Trace, Traces, TraceSearch

Triples = Sequence[tuple[int, str, int]]


@dataclass(frozen=True)
class Placing:
    """A way to place a schema graph: by node the index of a node, by edge that of a triple."""

    nodes: tuple[int | None, ...]
    triples: tuple[int | None, ...]


@dataclass(frozen=True)
class Reference:
    """One search, and the graph that it is run on; a relationship's id is that of `ids`."""

    nodes: Sequence[Node]
    triples: Triples
    ids: Sequence[str]
    search: TraceSearch

    def list_traces(self) -> Traces:
        known = {node.id for node in self.nodes}
        listed = {id for given in self.search.nodes if given for id in given.ids}
        if not known >= listed | {*self.search.guidance}:
            raise PatternError("a candidate is not there", "list nodes that are there")
        start = min(self.anchors, key=lambda at: (-max(self.anchors[at].values(), default=-1), at))
        order = self._walk(start, [], {start})
        empty = (None,) * len(self.search.relations)
        placings = [
            placing
            for node, each in enumerate(self.nodes)
            if each.id in self.anchors[start]
            for placing in self._place(
                Placing(tuple(node if at == start else None for at in self.every), empty), order
            )
            if self._is_trace(placing)
        ]
        best = max((self._anchor_score(start, p) for p in placings), default=0.0)
        placings = [p for p in placings if self._anchor_score(start, p) == best]
        placings.sort(key=lambda p: self._key(p, start, order))
        if not self.search.rules.is_breadth:
            placings = placings[:1]
        traces = [self._build(placing) for placing in self._keep_shapes(placings)]
        traces.sort(key=lambda t: (-t.score, [node.id for node in t.nodes], t.relationships))
        assert len(traces) <= self.search.rules.limit
        return Traces(tuple(traces))

    @property
    def every(self) -> range:
        return range(self.search.schema_graph.nodes)

    @property
    def anchors(self) -> dict[int, dict[str, float]]:
        """By listed node the scores of its best anchors."""
        found = {}
        for at, given in enumerate(self.search.nodes):
            if given is not None:
                scores: dict[str, float] = {}
                for id, score in zip(given.ids, given.scores, strict=True):
                    boosted = score * (
                        self.search.rules.boost if id in self.search.guidance else 1.0
                    )
                    scores[id] = max(boosted, scores.get(id, 0.0))
                ranked = sorted(scores, key=lambda id, s=scores: (-s[id], id))
                found[at] = {id: scores[id] for id in ranked[:MOST_ANCHORS]}
        return found

    def _walk(self, at: int, order: list[int], seen: set[int]) -> list[int]:
        for edge, ends in enumerate(self.search.schema_graph.edges):
            if at in ends and edge not in order:
                order.append(edge)
                other = sum(ends) - at
                if other not in seen:
                    seen.add(other)
                    self._walk(other, order, seen)
        return order

    def _place(self, placing: Placing, order: Sequence[int]) -> Iterator[Placing]:
        if not order:
            yield placing
            return
        edge = order[0]
        source, target = self.search.schema_graph.edges[edge]
        for number, (head, _, tail) in enumerate(self.triples):
            for first, second in {(head, tail), (tail, head)}:
                nodes = list(placing.nodes)
                if nodes[source] not in (None, first):
                    continue
                nodes[source] = first
                if nodes[target] not in (None, second):
                    continue
                nodes[target] = second
                chosen = [number if i == edge else t for i, t in enumerate(placing.triples)]
                yield from self._place(Placing(tuple(nodes), tuple(chosen)), order[1:])

    def _is_trace(self, placing: Placing) -> bool:
        rules, listed = self.search.rules, self.anchors
        if len(set(placing.triples)) < len(placing.triples) and rules.revisit != "any":
            return False
        for edge, given in enumerate(self.search.relations):
            if given and self.triples[placing.triples[edge]][1] not in given.types:
                return False
            if rules.is_breadth and self._score(edge, placing) < rules.threshold:
                return False
        for at in self.every:
            if at in listed and self.nodes[placing.nodes[at]].id not in listed[at]:
                return False
            for other in range(at):
                topics = (at in listed) + (other in listed)
                apart = rules.revisit == "simple" or topics == 2
                apart |= topics == 1 and rules.revisit == "not_topic"
                if apart and placing.nodes[at] == placing.nodes[other]:
                    return False
        return True

    def _anchor_score(self, at: int, placing: Placing) -> float:
        return self.anchors.get(at, {}).get(self.nodes[placing.nodes[at]].id, 0.0)

    def _is_turned(self, edge: int, placing: Placing) -> bool:
        source = self.search.schema_graph.edges[edge][0]
        return self.triples[placing.triples[edge]][0] != placing.nodes[source]

    def _score(self, edge: int, placing: Placing) -> float:
        head, relation, tail = self.triples[placing.triples[edge]]
        given, rules = self.search.relations[edge], self.search.rules
        pairs = zip(given.types, given.scores, strict=True) if given else ()
        score = max((s for name, s in pairs if name == relation), default=0.0)
        score -= rules.turned if self._is_turned(edge, placing) else 0.0
        guided = all(self.nodes[end].id in self.search.guidance for end in (head, tail))
        return score + rules.bias if guided else score

    def _key(self, placing: Placing, start: int, order: Sequence[int]) -> list[object]:
        key: list[object] = [self.nodes[placing.nodes[start]].id]
        seen = {start}
        for edge in order:
            fresh = {*self.search.schema_graph.edges[edge]} - seen
            seen |= fresh
            score = self._score(edge, placing)
            key.append(-(score + sum(self._anchor_score(at, placing) for at in fresh)))
            key += [self.nodes[placing.nodes[at]].id for at in fresh]
            key.append(self.ids[placing.triples[edge]])
        return key

    def _keep_shapes(self, placings: Sequence[Placing]) -> Iterator[Placing]:
        seen = set()
        for placing in placings:
            shape = tuple(
                (self.triples[number][1], self._is_turned(edge, placing))
                for edge, number in enumerate(placing.triples)
            )
            if shape not in seen or not self.search.rules.has_shapes:
                yield placing
            seen.add(shape)

    def _build(self, placing: Placing) -> Trace:
        scores = tuple(self._score(edge, placing) for edge in range(len(placing.triples)))
        total = 0.0
        for at in self.every:
            total += self._anchor_score(at, placing)
        for score in scores:
            total += score
        stands = [self.triples[number] for number in placing.triples]
        return Trace(
            total,
            tuple(self.nodes[index] for index in placing.nodes),
            tuple(Triple(self.nodes[h], relation, self.nodes[t]) for h, relation, t in stands),
            scores,
            tuple(self.ids[number] for number in placing.triples),
        )


def trace_by_brute_force(
    nodes: Sequence[Node], triples: Triples, search: TraceSearch, ids: Sequence[str] = ()
) -> Traces:
    """All traces by their definition; a relationship's id is its index unless `ids` say it."""
    named = ids or [f"r{i:06d}" for i in range(len(triples))]
    return Reference(nodes, triples, named, search).list_traces()
