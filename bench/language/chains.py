"""What the growth of a graph costs while a chain goes on over it, without any model.

The subgraph of a chain is all triples of the nodes that it has visited; each further triple brings
those of one node more. The reference builds the trie of the whole subgraph again at each triple.
What is added here is told apart from the first mask behind it, which makes the trie of all names
that the next triple may begin with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from bench.figure import Figure, format_seconds, time_call
from bench.made.names import make_names
from trellis.automata.chains.language import ChainOptions
from trellis.automata.chains.named import NamedChains, NamedState
from trellis.automata.chains.opening import open_chains
from trellis.automata.language import Moves
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.walks import Start
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.tries import SiteTries
from trellis.automata.tokens.vocabulary import Vocabulary
from trellis.domain.graphs.graph import Neighbourhood

Automaton = TokenAutomaton[Any, Any]

_ADDED = 120
"""Triples of one node: what each triple of the chain brings."""

_VISITED = 42
_SHOWN = {240: "7–35 ms (120)", 480: "", 1_200: "", 2_400: "", 5_040: ".9–3.5 s"}
"""Triples of a subgraph that are shown, with what the reference takes to build its trie again."""


@dataclass(frozen=True, slots=True)
class _Growth:
    """Seconds of one growth: what it adds, and the first mask behind it."""

    extended: float
    mask: float


def measure_chains(vocabulary: Vocabulary) -> Iterator[Figure]:
    """A chain along nodes with as many triples each: its subgraph grows to 5,040."""
    graph = _make_graph()
    runs = [_grow_along(graph, vocabulary) for _ in range(3)]
    for size, reference in _SHOWN.items():
        growths = [run[size] for run in runs if size in run]
        extended = median(growth.extended for growth in growths)
        masks = [growth.mask for growth in growths]
        ours = (
            f"{format_seconds([extended])} to add {_ADDED}, {format_seconds([median(masks[1:])])} "
            f"for the first mask then ({format_seconds([masks[0]])} with names never spelled)"
        )
        yield Figure(f"growth of a subgraph to {size:,} triples", ours, reference)


def _grow_along(graph: Neighbourhood, vocabulary: Vocabulary) -> dict[int, _Growth]:
    """The growths by the size of the subgraph, as a chain goes from one node to the next."""
    options = ChainOptions("full", most_triples=_VISITED, revisit="any")
    read = cut_neighbourhood(graph, [0], 1)
    language: Any = open_chains(read, [Start(" ENT1", (0,))], options)
    state = language.start()
    growths: dict[int, _Growth] = {}
    tries, said = SiteTries(), list[str]()
    for node in range(1, _VISITED):
        head, tail = graph.names[node - 1], graph.names[node]
        said += [" ;"] * bool(said) + [f" {head}", " -> next", " ->", f" {tail}"]
        state = _say_triple(language, state, head, tail)
        read = cut_neighbourhood(graph, [node], 1)
        language, extended = time_call(_extend, language, graph.nodes[node], read)
        automaton: Automaton = TokenAutomaton(language, vocabulary, tries)
        here = _advance(automaton, automaton.start(), said)
        _, mask = time_call(_begin_triple, automaton, here)
        growths[_ADDED * (node + 1)] = _Growth(extended, mask)
    return growths


def _begin_triple(automaton: Automaton, state: Any) -> Any:
    """The mask of what the next triple may begin with."""
    return automaton.allow(_advance(automaton, state, [" ;"]))


def _advance(automaton: Automaton, state: Any, segments: Sequence[str]) -> Any:
    for token in (t for segment in segments for t in automaton.vocabulary.encode(segment)):
        state = automaton.advance(state, token)
    return state


def _extend(language: NamedChains, node: str, read: Neighbourhood) -> NamedChains:
    return language.extended(language.graph.make_delta([node], read))


def _say_triple(language: NamedChains, state: NamedState, head: str, tail: str) -> NamedState:
    """The state behind one more triple."""
    if language.is_part_end(state):
        state = _follow(language, state, " ;")
    for text in (f" {head}", " -> next", f" {tail}"):
        state = _follow(language, state, text)
    return state


def _follow(language: NamedChains, state: NamedState, text: str) -> NamedState:
    moves = language.moves(state)
    assert isinstance(moves, Moves)
    after = language.follow(state, moves.texts.index(text))
    assert after is not None
    return after


def _make_graph() -> Neighbourhood:
    """Nodes in a row, each with as many triples: half lead to nodes of its own, half come from
    such."""
    own = _ADDED - 1
    made = make_names(_VISITED * (own + 1))
    names = [f"{name} {i}" for i, name in enumerate(made)]
    triples = [(node, "next", node + 1) for node in range(_VISITED - 1)]
    first = _VISITED
    for node in range(_VISITED):
        for i in range(own - bool(node)):
            ends = (node, first + i) if i % 2 else (first + i, node)
            triples.append((ends[0], f"relation {i % 12}", ends[1]))
        first += own
    return build_adjacency([str(i) for i in range(len(names))], names, triples)
