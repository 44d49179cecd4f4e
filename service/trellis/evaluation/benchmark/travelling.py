"""The cost of sending a language to a worker: bytes, and milliseconds at either end."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import get_args

from trellis.automata.adjacency import around
from trellis.automata.codec import decode_language, encode_language, language_hash
from trellis.automata.walks import Start, Walks
from trellis.domain.card import Rendering
from trellis.evaluation.benchmark.figure import Figure, shown, timed
from trellis.evaluation.benchmark.graphs import skewed

_HOPS = 3
_TIMES = 20


def figures() -> Iterator[Figure]:
    """The cost for KG-Tries of a thousand, ten thousand and a hundred thousand relationships."""
    for nodes, edges in ((500, 1_000), (5_000, 10_000), (50_000, 100_000)):
        graph = skewed(nodes, edges, 50)
        hood = around(graph, range(nodes), _HOPS)
        for rendering in get_args(Rendering):
            start = Start(f" {graph.names[0]}", (0,))
            walks = Walks(hood, [start], hops=_HOPS, rendering=rendering)
            yield _figure(f"a language travels, {edges:,} relationships, {rendering}", walks)


def _figure(what: str, walks: Walks) -> Figure:
    data = encode_language(walks)
    encoding = median(timed(encode_language, walks)[1] for _ in range(_TIMES))
    decoding = median(timed(decode_language, data)[1] for _ in range(_TIMES))
    naming = median(timed(language_hash, data)[1] for _ in range(_TIMES))
    ours = f"{len(data):,} bytes; encoded {shown([encoding])}, decoded {shown([decoding])}"
    return Figure(what, f"{ours}, named {shown([naming])}")
