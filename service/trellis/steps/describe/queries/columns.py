"""Name columns: a short name for what each column of a query's rows holds.

`country`, `population`, `area (km²)`, `number of cities`: made of the query alone, so that a table
can be read by whoever did not write the query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from trellis.automata.cypher.meaning.items import ArithmeticTerm, ReturnItem
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.sentences.trees import find_root, join_same_nodes, make_tree
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.linking.values.units import UNITS, split_unit
from trellis.steps.describe.queries.filters import write_property_name
from trellis.steps.describe.queries.items import TERM_TEXTS
from trellis.steps.describe.queries.names import PatternNames

_FORM_NAMES: Mapping[str, str] = {
    "count": "number of {}",
    "count distinct": "number of different values of {}",
    "count all": "number of {}",
    "count values": "number of values of {}",
    "minimum": "lowest {}",
    "maximum": "highest {}",
    "sum": "total {}",
    "average": "average {}",
    "whether": "answer",
}
"""How forms are named; those that are missing here are named as what they are made of."""


def name_columns(query: QueryGraph, known: IndexedSchema) -> tuple[str, ...]:
    """A name for each item that a query returns, no two of them equal.

    Raises CypherReadError where its pattern hangs together in no way that can be said.
    """
    joined = join_same_nodes(query)
    namer = _ColumnNamer(make_tree(joined, find_root(joined)), known)
    return make_distinct(namer.list_names())


def write_property_with_unit(word: str) -> str:
    """A property's word with the unit that its name ends in: `area (km²)` for `area km2`."""
    words, unit = split_unit(word.split())
    return f"{' '.join(words)} ({UNITS[unit][0]})" if unit else word


def make_distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each that was there before with a number: `city`, `city 2`."""
    seen: Counter[str] = Counter()
    distinct = []
    for name in names:
        seen[name] += 1
        distinct.append(f"{name} {seen[name]}" if seen[name] > 1 else name)
    return tuple(distinct)


class _ColumnNamer:
    """Names the items of one query."""

    def __init__(self, query: QueryGraph, known: IndexedSchema) -> None:
        self._query = query
        self._known = known
        self._names = PatternNames(query, known)

    def list_names(self) -> list[str]:
        """The names; those that two items share say of which node each is."""
        short = [self._name_item(item) for item in self._query.items]
        shared = {name for name, count in Counter(short).items() if count > 1}
        pairs = zip(self._query.items, short, strict=True)
        return [self._name_item(item, with_owner=name in shared) for item, name in pairs]

    def _name_item(self, item: ReturnItem, with_owner: bool = False) -> str:
        form = _FORM_NAMES.get(item.form.word, "{}")
        return form.format(self._name_value(item, with_owner))

    def _name_value(self, item: ReturnItem, with_owner: bool) -> str:
        """What an item is made of: a node, a property of it, or two that are combined."""
        if not item.key:
            return self._name_owner(item, many=item.is_aggregate)
        own = self._name_property(item, with_owner)
        if item.term is None:
            return own
        combined = TERM_TEXTS[item.term.operator].removesuffix(" the")
        return f"{own} {combined} {self._name_property(item.term)}"

    def _name_property(self, owner: ReturnItem | ArithmeticTerm, with_owner: bool = False) -> str:
        if not owner.part and self._is_naming(owner):
            return self._name_owner(owner)
        word = write_property_with_unit(self._names.get_property_word(owner.key))
        named = write_property_name(word, owner.part)
        return f"{self._name_owner(owner)} {named}" if with_owner else named

    def _name_owner(self, owner: ReturnItem | ArithmeticTerm, many: bool = False) -> str:
        """`country`, `countries`, `person 2` beside another one, or a relationship's words."""
        if owner.edge is not None:
            return self._names.get_type_words(owner.edge)
        noun = self._names.get_noun(owner.node)
        others = {item.node for item in self._query.items if item.edge is None} - {owner.node}
        if noun not in map(self._names.get_noun, others):
            noun = self._names.get_nouns(owner.node) if many else noun
            return noun.removesuffix(" of any kind")
        refer = self._names.refer_to_nodes if many else self._names.refer_to_node
        return refer(owner.node).removeprefix("the ")

    def _is_naming(self, owner: ReturnItem | ArithmeticTerm) -> bool:
        """Whether a property is the name of a node that is not returned as well."""
        if owner.edge is not None or owner.node in self._list_whole_nodes():
            return False
        label = self._known.schema.label(self._query.nodes[owner.node].label or "")
        return label is not None and label.naming == owner.key

    def _list_whole_nodes(self) -> Iterator[int]:
        whole = (item for item in self._query.items if not item.key and not item.is_aggregate)
        return (item.node for item in whole)
