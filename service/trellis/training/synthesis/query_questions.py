"""Examples of task `cypher` from the schema alone: questions made for queries that it allows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from trellis.automata.cypher.canonical import spell_query
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.lexicon import NamedValue
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.query import QueryGraph
from trellis.domain.errors import CypherReadError
from trellis.domain.links import Link, Mention, StoredValue
from trellis.domain.schema import Schema
from trellis.steps.queries.query_prompt import build_query_prompt
from trellis.steps.queries.value_mentions import (
    ValueKind,
    list_kinds,
    name_values,
    value_name,
)
from trellis.training.examples import Example
from trellis.training.synthesis.query_asking import QueryAsker
from trellis.training.synthesis.query_graphs import Condition, DrawnQuery, QueryGraphs

Rivals = Mapping[ValueKind, Sequence[tuple[ValueKind, ...]]]
"""For a label and property: all kinds that a text was linked to that may be a value of theirs."""

_TRIES = 4
_NAME = re.compile(r"\bv\d+\b")


def synthesize_query_examples(
    schema: Schema,
    rendering: RenderingOptions,
    count: int,
    seed: int,
    rivals: Rivals | None = None,
    *,
    apart: bool = False,
) -> tuple[Example, ...]:
    """Up to `count` examples: fewer where the schema has little to ask about. `apart`: each hop of
    their queries is a clause of its own."""
    graphs, asker = QueryGraphs(schema, seed, rendering.nodes, apart=apart), QueryAsker(seed)
    found: list[Example] = []
    for _ in range(_TRIES * count):
        drawn = graphs.draw_query()
        example = drawn and _make_example(schema, rendering, drawn, asker, rivals or {})
        found += [example] if example else []
        if len(found) == count:
            break
    return tuple(found)


def _make_example(
    schema: Schema,
    rendering: RenderingOptions,
    drawn: DrawnQuery,
    asker: QueryAsker,
    rivals: Rivals,
) -> Example | None:
    names = [value_name(index) for index in range(len(drawn.conditions))]
    question = asker.ask_query(drawn.query, names)
    order = list(dict.fromkeys(_NAME.findall(question)))  # mentions come in the order of the text
    if sorted(order) != sorted(names):
        return None
    mentions = [
        _make_mention(question, name, drawn.conditions[names.index(name)], rivals) for name in order
    ]
    values = name_values(mentions, schema)
    meant = [
        _find_values(values, order.index(name), each)
        for name, each in zip(names, drawn.conditions, strict=True)
    ]
    language = CypherLanguage(schema, values, rendering)
    try:
        moves = spell_query(language, _number_values(drawn.query, meant))
    except CypherReadError:
        return None
    return Example(build_query_prompt(question, mentions), moves)


def _make_mention(question: str, name: str, each: Condition, rivals: Rivals) -> Mention:
    """The place of a value, and all kinds that its text may be a value of."""
    found = re.search(rf"\b{name}\b", question)
    assert found
    own = (each.label, each.kind.name)
    kinds = rivals.get(own) or ((own,),)
    chosen = kinds[len(question) % len(kinds)]
    values = (StoredValue(label, key, found[0], each.kind.type) for label, key in chosen)
    links = tuple(Link(value, 1.0, "exact") for value in values)
    return Mention(found.start(), found.end(), found[0], links)


def _find_values(values: Sequence[NamedValue], mention: int, each: Condition) -> tuple[int, ...]:
    """The values of a mention that are of a condition's kind."""
    return tuple(
        index
        for index, one in enumerate(values)
        if (one.name, one.stored.label, one.stored.property)
        == (value_name(mention), each.label, each.kind.name)
    )


def _number_values(query: QueryGraph, meant: Sequence[tuple[int, ...]]) -> QueryGraph:
    """The query with its filters' values as the language numbers them."""
    nodes = tuple(
        replace(node, filters=tuple(replace(f, values=meant[f.values[0]]) for f in node.filters))
        for node in query.nodes
    )
    return replace(query, nodes=nodes)


def find_rivals(found: Iterable[Sequence[Mention]]) -> Rivals:
    """What mentions of real questions may mean, for each kind among it."""
    kinds: dict[ValueKind, list[tuple[ValueKind, ...]]] = defaultdict(list)
    for mention in chain.from_iterable(found):
        for kind in (own := list_kinds(mention)):
            kinds[kind].append(own)
    return kinds
