"""Composes questions for query graphs, in many wordings, from the names of a schema.

A node is described by its label, its conditions and its relationships, from the answer outwards.
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
    "date": ("latest", "most recent", "newest", "last"),
    "": ("highest {}", "largest {}"),
    "age": ("oldest",),
    "duration": ("longest",),
}
_LOW: Mapping[str, Texts] = {
    "date": ("earliest", "first", "oldest"),
    "": ("lowest {}", "smallest {}"),
    "age": ("youngest",),
    "duration": ("shortest",),
}
_DATED: Texts = ("date", "time", "year")
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
_AND: Texts = ("and", "and also", "and that are", ",")
_ARTICLES: Texts = ("", "a ", "the ", "any ", "some ")


class QueryAsker:
    """Composes questions, in which value `i` is called `names[i]`; equal seeds give equal ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def ask_query(self, query: QueryGraph, names: Sequence[str]) -> str:
        """A question for a query."""
        item, root = query.items[0], self._describe_node(query, 0, names)
        best = self._find_superlative(query)
        if item.form.word == "count":
            frame = self._random.choice(_COUNT)
        elif item.key:
            frame = self._random.choice(_BEST_SHOW if best else _SHOW)
        else:
            frame = self._random.choice(_BEST if best else _LIST)
        text = frame.replace("{b}", best).replace("{p}", split_name(item.key)).replace("{}", root)
        return " ".join(text.split()) + self._random.choice(("?", "?", "", " ?"))

    def _find_superlative(self, query: QueryGraph) -> str:
        """A superlative for the order of a query; empty where it has none."""
        if not query.orders:
            return ""
        order = query.orders[0]
        name = split_name(order.item.key)
        superlatives = _HIGH if order.descending else _LOW
        kind = next((key for key in superlatives if key and key in name), "")
        kind = kind or ("date" if any(word in name for word in _DATED) else "")
        return self._random.choice(superlatives[kind]).format(name)

    def _describe_node(self, query: QueryGraph, index: int, names: Sequence[str]) -> str:
        """The noun phrase of a node, with its conditions and the nodes that it leads to."""
        node = query.nodes[index]
        noun = split_name(node.label) + self._random.choice(("s", "s", "")) if node.label else "one"
        parts = [noun]
        for condition in node.filters:
            name, word = names[condition.values[0]], split_name(condition.property)
            if self._random.random() < 0.3:
                parts.insert(0, name)
            else:
                parts.append(self._random.choice(_WHERE).format(p=word, v=name))
        edges = [edge for edge in query.edges if edge.source == index]
        self._random.shuffle(edges)
        for number, edge in enumerate(edges):
            parts += [self._random.choice(_AND)] if number else []
            parts.append(self._describe_edge(query, edge, names))
        return " ".join(parts)

    def _describe_edge(self, query: QueryGraph, edge: QueryEdge, names: Sequence[str]) -> str:
        """The phrase of a relationship, with the node that it leads to.

        A long description comes behind the relationship: before it, it would be hard to follow.
        """
        inner = self._random.choice(_ARTICLES) + self._describe_node(query, edge.target, names)
        frames = _IN if edge.direction == "in" else _OUT
        if any(other.source == edge.target for other in query.edges):
            frames = tuple(frame for frame in frames if frame.find("{r}") < frame.find("{y}"))
        return self._random.choice(frames).format(r=split_name(edge.type), y=inner)
