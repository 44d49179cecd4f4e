"""The cost of sending a language to a worker: bytes, and milliseconds at either end."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import get_args

from bench.figure import Figure, format_seconds, time_call
from bench.made.graphs import make_skewed_graph
from trellis.automata.codec import decode_language, encode_language, language_hash
from trellis.automata.paths.adjacency import cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.domain.models.card import Rendering

_HOPS = 3
_TIMES = 20


def measure_travelling() -> Iterator[Figure]:
    """The cost for KG-Tries of a thousand, ten thousand and a hundred thousand relationships."""
    for nodes, edges in ((500, 1_000), (5_000, 10_000), (50_000, 100_000)):
        graph = make_skewed_graph(nodes, edges, 50)
        hood = cut_neighbourhood(graph, range(nodes), _HOPS)
        for rendering in get_args(Rendering):
            start = Start(f" {graph.names[0]}", (0,))
            walks = Walks(hood, [start], hops=_HOPS, rendering=rendering)
            yield _measure_language(
                f"a language travels, {edges:,} relationships, {rendering}", walks
            )


def _measure_language(name: str, walks: Walks) -> Figure:
    data = encode_language(walks)
    encoding = median(time_call(encode_language, walks)[1] for _ in range(_TIMES))
    decoding = median(time_call(decode_language, data)[1] for _ in range(_TIMES))
    naming = median(time_call(language_hash, data)[1] for _ in range(_TIMES))
    took = f"encoded {format_seconds([encoding])}, decoded {format_seconds([decoding])}"
    ours = f"{len(data):,} bytes; {took}"
    return Figure(name, f"{ours}, named {format_seconds([naming])}")
