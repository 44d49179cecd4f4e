"""Questions for query graphs, in many wordings, from the names of a schema.

A node is said by its label, its conditions and what it is related to, from the answer outwards.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from trellis.automata.cypher.query import QueryEdge, QueryGraph
from trellis.automata.cypher.wording import split_name

Texts = tuple[str, ...]

_LIST: Texts = (
    "which {}",
    "what are the {}",
    "what {}",
    "list the {}",
    "can you list the {}",
    "find {}",
    "show me all {}",
    "name the {}",
    "can you provide the {}",
    "who or what are the {}",
)
_COUNT: Texts = (
    "how many {}",
    "what is the number of {}",
    "count the {}",
    "what is the count of {}",
)
_SHOW: Texts = (
    "what is the {p} of {}",
    "what are the {p}s of {}",
    "which {p} do {} have",
    "the {p} of {}",
    "can you provide the {p} of {}",
    "tell me the {p}s of {}",
    "what {p} is that of {}",
)
_BEST: Texts = (
    "which is the {b} {}",
    "what is the {b} {}",
    "which {b} {}",
    "what's the {b} {}",
    "the {b} {}",
)
_BEST_SHOW: Texts = (
    "what is the {p} of the {b} {}",
    "the {b} {} has what {p}",
    "which {p} has the {b} {}",
)
_HIGH: Mapping[str, Texts] = {
    "date": (
        "latest",
        "most recent",
        "newest",
        "last",
    ),
    "": (
        "highest {}",
        "largest {}",
    ),
    "age": ("oldest",),
    "duration": ("longest",),
}
_LOW: Mapping[str, Texts] = {
    "date": (
        "earliest",
        "first",
        "oldest",
    ),
    "": (
        "lowest {}",
        "smallest {}",
    ),
    "age": ("youngest",),
    "duration": ("shortest",),
}
_DATED: Texts = (
    "date",
    "time",
    "year",
)
_WHERE: Texts = (
    "with {p} {v}",
    "whose {p} is {v}",
    "with the {p} {v}",
    "having {p} {v}",
    "of {p} {v}",
)
_OUT: Texts = (
    "that {r} {y}",
    "{r} {y}",
    "which {r} {y}",
    "with {r} {y}",
    "linked by {r} to {y}",
    "connected to {y} by {r}",
    "who {r} {y}",
    "related to {y} ({r})",
)
_IN: Texts = (
    "that {y} {r}",
    "{r} of {y}",
    "which {y} {r}",
    "that are {r} of {y}",
    "linked by {r} to {y}",
    "{y} {r}",
    "connected to {y} by {r}",
    "{r} {y}",
)
_AND: Texts = (
    "and",
    "and also",
    "and that are",
    ",",
)
_ARTICLES: Texts = (
    "",
    "a ",
    "the ",
    "any ",
    "some ",
)


class QueryAsker:
    """Makes questions; equal seeds make equal ones. Value `i` is said as `names[i]`."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def ask_query(self, query: QueryGraph, names: Sequence[str]) -> str:
        item, root = query.items[0], self._say_node(query, 0, names)
        best = self._say_superlative(query)
        if item.form.word == "count":
            frame = self._pick_one(_COUNT)
        elif item.key:
            frame = self._pick_one(_BEST_SHOW if best else _SHOW)
        else:
            frame = self._pick_one(_BEST if best else _LIST)
        said = frame.replace("{b}", best).replace("{p}", split_name(item.key)).replace("{}", root)
        return " ".join(said.split()) + self._pick_one(("?", "?", "", " ?"))

    def _say_superlative(self, query: QueryGraph) -> str:
        """The superlative of an order, or nothing."""
        if not query.orders:
            return ""
        order = query.orders[0]
        name = split_name(order.item.key)
        of = _HIGH if order.descending else _LOW
        kind = next((key for key in of if key and key in name), "")
        kind = kind or ("date" if any(word in name for word in _DATED) else "")
        return self._pick_one(of[kind]).format(name)

    def _say_node(self, query: QueryGraph, index: int, names: Sequence[str]) -> str:
        """A node's noun phrase, with all behind it."""
        node = query.nodes[index]
        noun = split_name(node.label) + self._pick_one(("s", "s", "")) if node.label else "one"
        said = [noun]
        for each in node.filters:
            name, word = names[each.values[0]], split_name(each.property)
            if self._random.random() < 0.3:
                said.insert(0, name)
            else:
                said.append(self._pick_one(_WHERE).format(p=word, v=name))
        behind = [edge for edge in query.edges if edge.source == index]
        self._random.shuffle(behind)
        for number, edge in enumerate(behind):
            said += [self._pick_one(_AND)] if number else []
            said.append(self._say_edge(query, edge, names))
        return " ".join(said)

    def _say_edge(self, query: QueryGraph, edge: QueryEdge, names: Sequence[str]) -> str:
        inner = self._pick_one(_ARTICLES) + self._say_node(query, edge.target, names)
        frames = _IN if edge.direction == "in" else _OUT
        if any(other.source == edge.target for other in query.edges):  # else hard to follow
            frames = tuple(frame for frame in frames if frame.find("{r}") < frame.find("{y}"))
        return self._pick_one(frames).format(r=split_name(edge.type), y=inner)

    def _pick_one(self, options: Sequence[str]) -> str:
        return self._random.choice(options)
