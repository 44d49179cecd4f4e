"""Pattern names: how the nodes and relationships of a query are called in plain words."""

from __future__ import annotations

from collections.abc import Mapping

from trellis.automata.cypher.meaning.items import ReturnItem, ReturnOrder
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.lexicon.plurals import make_plural
from trellis.lexicon.property_phrases import is_time
from trellis.steps.describe.phrases import RelationPhrase
from trellis.steps.describe.queries.shape import walk_edges
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary

_THING, _THINGS = "thing of any kind", "things of any kind"
_COUNTS = ("count", "collect")  # functions of times that are no times


class PatternNames:
    """The words of a pattern's nodes and relationships.

    Where one is said once more, it is referred to. One that shares its word with another then has
    a number, which stands in brackets where it is said first.
    """

    def __init__(self, query: QueryGraph, known: IndexedSchema) -> None:
        self._query = query
        self._schema = known.schema
        self._wording = known.wording
        self._types = frozenset(known.wording.types.values())
        edges = list(walk_edges(query))
        nodes = [0, *(query.edges[edge].target for edge in edges)]
        own = [node for node in nodes if query.nodes[node].same is None]
        self._nodes = _number_words({node: self.get_noun(node) for node in own})
        types = {edge: query.edges[edge].type for edge in edges}
        self._edges = _number_words({edge: type for edge, type in types.items() if type})

    def get_noun(self, index: int) -> str:
        """The word of a node's label; of a node that the pattern comes back to, that one's."""
        node = self._query.nodes[index]
        if node.same is not None:
            return self.get_noun(node.same)
        return self._wording.labels.get(node.label, node.label) if node.label else _THING

    def get_nouns(self, index: int) -> str:
        """The same in the plural."""
        noun = self.get_noun(index)
        if noun == _THING:
            return _THINGS
        plural = make_plural(noun)
        return f"{noun} nodes" if plural in self._wording.labels.values() else plural

    def get_type_words(self, index: int) -> str:
        """The words of a relationship's type."""
        name = self._query.edges[index].type
        return self._wording.types.get(name, name)

    def get_property_word(self, name: str) -> str:
        return self._wording.properties.get(name, name)

    def find_superlative(self, order: ReturnOrder) -> str:
        """What comes first in an order by a property of a node: `tallest`; empty where that is not
        known."""
        item, words = order.item, read_schema_vocabulary(self._schema)
        if item.edge is not None or item.part or item.term or item.is_aggregate:
            return ""
        label = self._query.nodes[item.node].label
        return words.find_superlative(label, item.key, is_most=order.descending)

    def is_time(self, item: ReturnItem) -> bool:
        """Whether an item is a date or a time of day, and no part of it."""
        if not item.key or item.part or item.term or item.form.function in _COUNTS:
            return False
        nodes, edges = self._query.nodes, self._query.edges
        owner = nodes[item.node].label if item.edge is None else edges[item.edge].type
        kind = self._schema.find_property(owner, item.key)
        return kind is not None and is_time(kind)

    def get_phrase(self, index: int) -> RelationPhrase:
        """How a relationship stands between its nodes."""
        return RelationPhrase.of(self.get_type_words(index), self._types)

    def refer_to_node(self, index: int) -> str:
        """`the river`, or `person 2` where there are several."""
        noun = self.get_noun(index)
        noun = "thing" if noun == _THING else noun
        number = self._nodes[index]
        return f"{noun} {number}" if number else f"the {noun}"

    def refer_to_nodes(self, index: int) -> str:
        """All that a node of the pattern stands for: `rivers`, or `person 2`."""
        return self.refer_to_node(index) if self._nodes[index] else self.get_nouns(index)

    def refer_to_edge(self, index: int) -> str:
        """A relationship by its words in quotation marks, with a number where there are several."""
        words, number = f'"{self.get_type_words(index)}"', self._edges[index]
        return f"{words} {number}" if number else f"the {words}"

    def has_number(self, node: int) -> bool:
        """Whether a node shares its word with another."""
        return self._nodes[node] > 0

    def has_edge_number(self, edge: int) -> bool:
        """Whether a relationship shares its type with another."""
        return self._edges[edge] > 0


def _number_words(words: Mapping[int, str]) -> dict[int, int]:
    """A number for each word that stands several times, from 1; 0 for others."""
    numbers: dict[int, int] = {}
    for index, word in words.items():
        same = [other for other in words if words[other] == word]
        numbers[index] = same.index(index) + 1 if len(same) > 1 else 0
    return numbers
