"""Chains of triples that name their nodes, as they stand in the graph.

A sentence is `Head -> relation -> Tail ; Head -> relation -> Tail = Answer`. The first triple
touches an anchor, each next one a node that was visited, at either end; no triple is written twice;
the answer is a node of the triples. Several nodes may have one name, and a node may have a name
that reads like more: the state holds all readings, each with nodes of its own, until the text tells
them apart. Source: DoG, section 2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from trellis.automata.chains.language import AGAIN, END, ChainLanguage
from trellis.automata.chains.states import ChainMoves
from trellis.automata.language import SHORTEST_TEXT, Moves
from trellis.automata.paths.adjacency import concatenate_ranges
from trellis.automata.paths.frontier import Nodes
from trellis.automata.paths.segments import digest_texts, lead_text, step_text
from trellis.domain.graphs.graph import NodeId, RelationPath, Step
from trellis.domain.structures.chains import ChainTriple, TripleChain

Edge = tuple[int, int, int]
"""A triple as numbers: head, relation type, tail."""

Phase = Literal["head", "relation", "tail", "triple", "think", "thought", "answer", "ended"]

MOST_READINGS = 64
"""The most readings of one text that are kept: nodes of one name make them many."""

_ARROW = lead_text(Step(""))


@dataclass(frozen=True, eq=False)
class Triples:
    """Some triples [n] as arrays of numbers."""

    heads: NDArray[np.int64]
    types: NDArray[np.int64]
    tails: NDArray[np.int64]

    def select(self, keep: NDArray[np.bool_]) -> Triples:
        return Triples(self.heads[keep], self.types[keep], self.tails[keep])

    def list_edges(self) -> list[Edge]:
        columns = (self.heads.tolist(), self.types.tolist(), self.tails.tolist())
        return list(zip(*columns, strict=True))

    def __len__(self) -> int:
        return len(self.heads)


@dataclass(frozen=True, eq=False)
class NamedReading:
    """One reading of a text: its whole triples, the triples that the words behind them may begin,
    and the node that answers (-1: none is said)."""

    edges: tuple[Edge, ...] = ()
    options: Triples | None = None
    answer: int = -1

    def list_nodes(self) -> list[int]:
        """The nodes of its triples, in order of appearance."""
        return list(dict.fromkeys(end for head, _, tail in self.edges for end in (head, tail)))


@dataclass(frozen=True, eq=False)
class NamedState:
    """What the text of a chain of names means so far. `begun`: the words of the triple that is
    begun."""

    phase: Phase
    text: str
    readings: tuple[NamedReading, ...]
    triples: tuple[ChainTriple, ...] = ()
    begun: tuple[str, ...] = ()


class NamedChains(ChainLanguage[NamedState]):
    """The chains of names from `starts`, over a graph that may grow. The starts' texts are not
    said."""

    def accepting(self, state: NamedState) -> bool:
        return state.phase == "ended"

    def text(self, state: NamedState) -> str:
        return state.text

    def values(self, state: NamedState) -> tuple[TripleChain, ...]:
        if state.phase != "ended":
            return (TripleChain((), state.triples, False, self.needs(state)),)
        meant = dict.fromkeys(map(self._list_paths, state.readings))
        return tuple(TripleChain(paths, state.triples, True) for paths in meant)

    def reserve(self, state: NamedState) -> tuple[int, int]:  # noqa: ARG002
        """Behind `;` a triple is needed, and the end."""
        size, segments = self.reserve_ending()
        triple = 2 * (self.graph.longest_name + 1) + self._longest_step + len(_ARROW)
        return size + triple + len(AGAIN) + SHORTEST_TEXT, segments + 6

    def reserve_ending(self) -> tuple[int, int]:
        return len(END) + 1 + self.graph.longest_name, 2

    def count_parts(self, state: NamedState) -> int:
        return len(state.triples)

    def is_part_end(self, state: NamedState) -> bool:
        return state.phase == "triple"

    def needs(self, state: NamedState) -> tuple[NodeId, ...]:
        if state.phase != "triple" or len(state.triples) >= self.options.most_triples:
            return ()
        return self._list_ids(self._list_missing_rows(self._list_visited(state.readings)))

    @cached_property
    def _mention_of(self) -> dict[int, int]:
        """The mention of each anchor."""
        return {node: each.mention for each in reversed(self.starts) for node in each.nodes}

    def _open_root(self) -> NamedState:
        return NamedState("head", "", (NamedReading(),))

    def _list_visited(self, readings: Iterable[NamedReading]) -> Nodes:
        """The nodes that any of some readings has visited, the anchors included."""
        nodes = {node for reading in readings for node in reading.list_nodes()}
        return np.array(sorted(nodes | self._mention_of.keys()), np.int32)

    def _find_moves(self, state: NamedState) -> ChainMoves[NamedState]:
        if state.phase == "triple":
            return self._find_moves_after_triple(state)
        if state.phase == "head":
            return self._offer_heads(state)
        if state.phase == "relation":
            return self._offer_relations(state)
        if state.phase == "tail":
            return self._offer_tails(state)
        if state.phase == "answer":
            return self._offer_answers(state)
        return _offer_texts((), lambda _: state)

    def _find_moves_after_triple(self, state: NamedState) -> ChainMoves[NamedState]:
        """`;` before another triple, and `=` before the answer."""
        goes_on = len(state.triples) < self.options.most_triples
        again = [AGAIN] if goes_on and any(map(self._can_go_on, state.readings)) else []
        phases: dict[str, Phase] = {AGAIN: "head", END: "answer"}
        missing = self._list_missing_rows(self._list_visited(state.readings))

        def follow(text: str) -> NamedState:
            return replace(state, phase=phases[text], text=state.text + text)

        return _offer_texts([*again, END], follow, is_settled=not len(missing))

    def _can_go_on(self, reading: NamedReading) -> bool:
        return len(self._find_triples(reading)) > 0

    def _find_triples(self, reading: NamedReading) -> Triples:
        """The triples that touch what a reading has visited, and that it has not written."""
        nodes = self._list_visited((reading,))
        starts, sizes = self.graph.find_rows(nodes)
        entries = concatenate_ranges(starts, sizes)
        sources = nodes.repeat(sizes).astype(np.int64)
        targets = self.graph.targets[entries].astype(np.int64)
        keys = self.graph.keys[entries].astype(np.int64)
        heads = np.where(keys & 1, targets, sources)
        tails = np.where(keys & 1, sources, targets)
        room, kinds = len(self.graph), self.graph.types
        said = [(head * kinds + kind) * room + tail for head, kind, tail in reading.edges]
        codes = np.setdiff1d((heads * kinds + (keys >> 1)) * room + tails, said)
        pairs, tails = np.divmod(codes, max(room, 1))
        heads, types = np.divmod(pairs, max(kinds, 1))
        return Triples(heads, types, tails)

    def _offer_heads(self, state: NamedState) -> ChainMoves[NamedState]:
        readings = [replace(each, options=self._find_triples(each)) for each in state.readings]
        missing = self._list_missing_rows(self._list_visited(state.readings))
        groups = self._group_by_name([_options(each).heads for each in readings])

        def follow(text: str) -> NamedState:
            kept = _narrow(readings, lambda options: np.isin(options.heads, groups[text]))
            said = state.text + text
            return NamedState("relation", said, kept, state.triples, (text[1:],))

        return _offer_texts(groups, follow, is_settled=not len(missing))

    def _offer_relations(self, state: NamedState) -> ChainMoves[NamedState]:
        types = np.unique(np.concatenate([_options(each).types for each in state.readings]))
        steps = {kind: self.graph.step_of_key(2 * kind) for kind in types.tolist()}
        said = {step_text(step): kind for kind, step in steps.items()}

        def follow(text: str) -> NamedState:
            kept = _narrow(state.readings, lambda options: options.types == said[text])
            begun = (*state.begun, steps[said[text]].relation)
            return NamedState("tail", state.text + text, kept, state.triples, begun)

        return _offer_texts(sorted(said), follow)

    def _offer_tails(self, state: NamedState) -> ChainMoves[NamedState]:
        groups = self._group_by_name([_options(each).tails for each in state.readings])

        def follow(text: str) -> NamedState:
            kept = _narrow(state.readings, lambda options: np.isin(options.tails, groups[text]))
            written = (
                NamedReading((*reading.edges, edge))
                for reading in kept
                for edge in _options(reading).list_edges()
            )
            head, relation = state.begun
            triples = (*state.triples, ChainTriple(head, relation, text[1:]))
            said = state.text + _ARROW + text
            return NamedState("triple", said, tuple(islice(written, MOST_READINGS)), triples)

        return _offer_texts(groups, follow, lead=_ARROW)

    def _offer_answers(self, state: NamedState) -> ChainMoves[NamedState]:
        """The nodes of the triples; the anchors only where there is nothing else."""
        answers: dict[str, list[NamedReading]] = {}
        for reading in state.readings:
            nodes = reading.list_nodes()
            found = [node for node in nodes if node not in self._mention_of] or nodes
            for node in found:
                name = f" {self.graph.name_of(node)}"
                answers.setdefault(name, []).append(replace(reading, answer=node))

        def follow(text: str) -> NamedState:
            return NamedState("ended", state.text + text, tuple(answers[text]), state.triples)

        return _offer_texts(sorted(answers), follow)

    def _group_by_name(self, nodes: Sequence[NDArray[np.int64]]) -> dict[str, list[int]]:
        """The nodes by the text that says their name."""
        groups: dict[str, list[int]] = {}
        for node in np.unique(np.concatenate(nodes)).tolist():
            groups.setdefault(f" {self.graph.name_of(node)}", []).append(node)
        return dict(sorted(groups.items()))

    def _list_paths(self, reading: NamedReading) -> tuple[RelationPath, ...]:
        """The paths from the anchors that a reading's triples touch to its answer."""
        paths = _find_paths(reading)
        anchors = [node for node in paths if node in self._mention_of and node != reading.answer]
        starts = anchors or [reading.answer]
        return tuple(self._build_path(node, paths[node]) for node in starts)

    def _build_path(self, anchor: int, edges: Sequence[Edge]) -> RelationPath:
        steps, nodes, at = list[Step](), list[tuple[NodeId, ...]](), anchor
        for head, kind, tail in edges:
            is_reversed = at == tail and head != tail
            at = head if is_reversed else tail
            steps.append(self.graph.step_of_key(2 * kind + is_reversed))
            nodes.append((self.graph.id_of(at),))
        mention = self._mention_of.get(anchor, 0)
        return RelationPath((self.graph.id_of(anchor),), tuple(steps), tuple(nodes), mention)


def _find_paths(reading: NamedReading) -> dict[int, list[Edge]]:
    """For each node of a reading's triples the shortest way to its answer, as triples."""
    paths: dict[int, list[Edge]] = {reading.answer: []}
    pending = [reading.answer]
    for node in pending:
        for edge in reading.edges:
            head, _, tail = edge
            other = tail if head == node else head
            if node in (head, tail) and other not in paths:
                paths[other] = [edge, *paths[node]]
                pending.append(other)
    return paths


def _options(reading: NamedReading) -> Triples:
    assert reading.options is not None, "no triple is begun"
    return reading.options


def _narrow(
    readings: Iterable[NamedReading], keep: Callable[[Triples], NDArray[np.bool_]]
) -> tuple[NamedReading, ...]:
    """The readings with only the triples to keep, without those that have none left."""
    kept = (replace(each, options=_options(each).select(keep(_options(each)))) for each in readings)
    return tuple(each for each in kept if len(_options(each)))


def _offer_texts(
    texts: Iterable[str],
    follow: Callable[[str], NamedState],
    *,
    lead: str = "",
    is_settled: bool = True,
) -> ChainMoves[NamedState]:
    said = tuple(texts)
    after = cache(lambda move: follow(said[move]))
    return ChainMoves((lead, digest_texts(said)), Moves(said, lead), after, is_settled)
