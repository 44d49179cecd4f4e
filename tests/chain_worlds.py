"""Random small graphs for chains, what chains are by the book, and a check of written ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from trellis.automata.chains.language import ChainOptions
from trellis.automata.chains.opening import Chains, open_chains
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.segments import step_text
from trellis.automata.paths.walks import Start
from trellis.domain.graphs.graph import Neighbourhood, Step
from unit.automata.worlds import NAMES, RELATIONS, random_world

HOSTILE = (*NAMES, "a = b", " =", "= a", "; b", "b ; a -> r -> b", "a -> r -> b = a", " :", ": x")
"""Names that hold arrows, what stands between triples, or the end marker."""

Triple = tuple[int, str, int]
Walk = tuple[int, ...]


@dataclass(frozen=True)
class ChainWorld:
    """A graph as triples, the nodes that a question names, and which chains can be said."""

    names: tuple[str, ...]
    triples: tuple[Triple, ...]
    anchors: tuple[int, ...]
    options: ChainOptions

    @property
    def whole(self) -> Neighbourhood:
        return self.read(self.anchors, len(self.names))

    def read(self, nodes: tuple[int, ...], hops: int) -> Neighbourhood:
        """What the database gives around some nodes."""
        graph = build_adjacency([f"n{i}" for i in range(len(self.names))], self.names, self.triples)
        return cut_neighbourhood(graph, nodes, hops)

    def open(self, hops: int | None = None) -> Chains:
        """The language over what is `hops` from the anchors, or over all."""
        starts = [Start(f" ENT{i + 1}", (i,), i) for i in range(len(self.anchors))]
        read = self.whole if hops is None else self.read(self.anchors, hops)
        return open_chains(read, starts, self.options)

    def grow(self, language: Chains, needed: tuple[str, ...]) -> Chains:
        """The language with the relationships of some nodes."""
        read = self.read(tuple(int(node[1:]) for node in needed), 1)
        return language.extended(language.graph.make_delta(needed, read))


def chain_world(seed: int, **options: object) -> ChainWorld:
    """A random world of few nodes, whose names may be alike or look like a chain."""
    random, world = Random(seed), random_world(seed)
    names = tuple(random.choice(HOSTILE) for _ in world.names)
    triples = tuple(dict.fromkeys((h, RELATIONS[r], t) for h, r, t in world.edges))
    chosen = ChainOptions(world.rendering, random.choice((1, 2, 2)), world.revisit)
    return ChainWorld(names, triples, world.anchors, replace(chosen, **options))


def list_named_chains(world: ChainWorld) -> dict[tuple[str, ...], set[int]]:
    """All chains that name their nodes, as segments, each with the nodes that may answer."""
    found: dict[tuple[str, ...], set[int]] = {}

    def grow(chain: tuple[Triple, ...]) -> None:
        if chain:
            said = _write_named(world, chain)
            visited = {end for h, _, t in chain for end in (h, t)}
            for answer in visited - set(world.anchors) or visited:
                found.setdefault((*said, " =", f" {world.names[answer]}"), set()).add(answer)
        if len(chain) < world.options.most_triples:
            touched = {*world.anchors, *(end for h, _, t in chain for end in (h, t))}
            for triple in world.triples:
                if triple not in chain and {triple[0], triple[2]} & touched:
                    grow((*chain, triple))

    grow(())
    return found


def _write_named(world: ChainWorld, chain: tuple[Triple, ...]) -> tuple[str, ...]:
    said: list[str] = []
    for head, relation, tail in chain:
        said += [" ;"] if said else []
        names = world.names[head], world.names[tail]
        said += [f" {names[0]}", step_text(Step(relation)), " ->", f" {names[1]}"]
    return tuple(said)


def list_set_chains(world: ChainWorld) -> dict[tuple[str, ...], frozenset[int]]:
    """All chains of sets as segments, each with the nodes that it comes to; by single walks."""
    steps = [(h, Step(r), t) for h, r, t in world.triples]
    steps += [(t, Step(r, True), h) for h, r, t in world.triples]
    kinds = sorted({step for _, step, _ in steps})
    found: dict[tuple[str, ...], frozenset[int]] = {}
    anchors = len(world.anchors)

    def take(walks: frozenset[Walk], step: Step) -> frozenset[Walk]:
        return frozenset(
            (*walk, target)
            for walk in walks
            for source, kind, target in steps
            if source == walk[-1] and kind == step and admits(walk, target)
        )

    def admits(walk: Walk, target: int) -> bool:
        forbidden = {"any": (), "not_topic": walk[:1], "simple": walk}[world.options.revisit]
        return target not in forbidden

    def grow(
        said: tuple[str, ...],
        sets: tuple[tuple[str, frozenset[Walk], frozenset[int]], ...],
        at: int,
        written: frozenset[tuple[int, Step]],
        count: int,
        phase: str,
    ) -> None:
        if phase in ("triple", "joined"):
            found[(*said, " =")] = frozenset(walk[-1] for walk in sets[at][1])
        if phase == "set" or (phase != "start" and count < world.options.most_triples):
            for step in kinds:
                walks = take(sets[at][1], step)
                if walks and (at, step) not in written:
                    new = (f"X{len(sets) - anchors + 1}", walks, sets[at][2] | {len(sets)})
                    more = written | {(at, step)}
                    after = (*sets, new)
                    grow((*said, step_text(step)), after, len(sets), more, count + 1, "triple")
        if phase == "start" or (phase != "set" and count < world.options.most_triples):
            for number, (label, walks, _) in enumerate(sets):
                can = any(take(walks, s) for s in kinds if (number, s) not in written)
                if number != at and can:
                    lead = "" if phase == "start" else " ;"
                    grow((*said, f"{lead} {label}"), sets, number, written, count, "set")
        if phase == "triple":
            last = sets[at]
            for number, (label, walks, line) in list(enumerate(sets))[anchors:-1]:
                common = {walk[-1] for walk in walks} & {walk[-1] for walk in last[1]}
                if number in last[2] or not common:
                    continue
                kept = frozenset(walk for walk in walks if walk[-1] in common)
                joined = (label, kept, line | last[2] - {at})
                after = (*sets[:number], joined, *sets[number + 1 : -1])
                grow((*said, f" & {label}"), after, number, written, count, "joined")

    roots = tuple(
        (f"ENT{i + 1}", frozenset({(anchor,)}), frozenset({i}))
        for i, anchor in enumerate(world.anchors)
    )
    grow((), roots, -1, frozenset(), 0, "start")
    return found


def iterate_readings(world: ChainWorld, text: str) -> Iterator[tuple[Triple, ...]]:
    """The chains of triples that a named text can be, each well-formed or not."""

    def read(rest: str, chain: tuple[Triple, ...]) -> Iterator[tuple[Triple, ...]]:
        for triple in world.triples:
            head, relation, tail = triple
            names = world.names[head], world.names[tail]
            said = f" {names[0]}{step_text(Step(relation))} -> {names[1]}"
            if not rest.startswith(said):
                continue
            behind = rest[len(said) :]
            if behind.startswith(" ;"):
                yield from read(behind[2:], (*chain, triple))
            ends = {end for h, _, t in (*chain, triple) for end in (h, t)}
            if behind in {f" = {world.names[end]}" for end in ends}:
                yield (*chain, triple)

    return read(text, ())


def is_well_formed(world: ChainWorld, chain: tuple[Triple, ...]) -> bool:
    """Whether each triple touches what was visited, and none is written twice."""
    visited = set(world.anchors)
    for head, _, tail in chain:
        if not {head, tail} & visited:
            return False
        visited |= {head, tail}
    return len(set(chain)) == len(chain)
