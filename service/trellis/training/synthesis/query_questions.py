"""Makes examples of task `cypher` from the schema alone: questions for queries that it allows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from trellis.automata.cypher.bound_values import NamedValue
from trellis.automata.cypher.canonical import spell_query
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.query import QueryGraph
from trellis.domain.errors import CypherReadError
from trellis.domain.links import Link, Mention, StoredValue
from trellis.domain.schema import Schema
from trellis.steps.link.values.value_mentions import ValueKind, list_kinds, name_values, value_name
from trellis.steps.retrieve.queries.query_prompt import build_query_prompt
from trellis.training.examples import Example
from trellis.training.synthesis.query_asking import QueryAsker
from trellis.training.synthesis.query_graphs import Condition, DrawnQuery, QueryGraphs

NameKinds = Mapping[ValueKind, Sequence[tuple[ValueKind, ...]]]
"""By label and property: what texts of that kind are linked to, each time all kinds together."""

_TRIES = 4
_NAME = re.compile(r"\bv\d+\b")


@dataclass(frozen=True, slots=True)
class SpelledQuery:
    """A made question with its query as an example, and the language that its values give."""

    example: Example
    language: CypherLanguage


def synthesize_query_examples(
    schema: Schema,
    rendering: RenderingOptions,
    count: int,
    seed: int,
    rivals: NameKinds | None = None,
    *,
    apart: bool = False,
) -> tuple[Example, ...]:
    """Up to `count` examples; fewer where the schema has little to ask about.

    `apart`: whether each relationship of a query is in a clause of its own.
    """
    spelled = spell_plain_queries(schema, rendering, count, seed, rivals or {}, apart=apart)
    return tuple(each.example for each in spelled)


def spell_plain_queries(
    schema: Schema,
    rendering: RenderingOptions,
    count: int,
    seed: int,
    rivals: NameKinds,
    *,
    apart: bool = False,
) -> Iterator[SpelledQuery]:
    """The same, each with its language."""
    graphs, asker = QueryGraphs(schema, seed, rendering.nodes, apart=apart), QueryAsker(seed)
    drawn = (graphs.draw_query() for _ in range(_TRIES * count))
    spelled = (each and _spell_query(schema, rendering, each, asker, rivals) for each in drawn)
    yield from islice(filter(None, spelled), count)


def _spell_query(
    schema: Schema,
    rendering: RenderingOptions,
    drawn: DrawnQuery,
    asker: QueryAsker,
    rivals: NameKinds,
) -> SpelledQuery | None:
    names = [value_name(index) for index in range(len(drawn.conditions))]
    question = asker.ask_query(drawn.query, names)
    order = list(dict.fromkeys(_NAME.findall(question)))  # mentions come in the order of the text
    if sorted(order) != sorted(names):
        return None
    mentions = [
        _make_mention(question, name, drawn.conditions[names.index(name)], rivals) for name in order
    ]
    values = name_values(mentions, schema)
    numbers = [
        _find_values(values, order.index(name), condition)
        for name, condition in zip(names, drawn.conditions, strict=True)
    ]
    language = CypherLanguage(schema, values, rendering)
    try:
        moves = spell_query(language, _number_values(drawn.query, numbers))
    except CypherReadError:
        return None
    return SpelledQuery(Example(build_query_prompt(question, mentions), moves), language)


def _make_mention(question: str, name: str, condition: Condition, rivals: NameKinds) -> Mention:
    own = condition.label, condition.kind.name
    return mention_kinds(question, name, own, rivals, len(question), condition.kind.type)


def mention_kinds(
    text: str, name: str, own: ValueKind, kinds: NameKinds, draw: int, type_: str = "STRING"
) -> Mention:
    """The mention of a value of a kind, with a link for each kind that its text may be of; `draw`:
    which of several such sets of kinds."""
    match = find_word(text, name)
    known = kinds.get(own) or ((own,),)
    values = (StoredValue(*kind, match[0], type_) for kind in known[draw % len(known)])
    links = tuple(Link(value, 1.0, "exact") for value in values)
    return Mention(match.start(), match.end(), match[0], links)


def find_word(text: str, word: str) -> re.Match[str]:
    """Where a made question says a word, which it does."""
    match = re.search(rf"\b{word}\b", text)
    assert match
    return match


def _find_values(
    values: Sequence[NamedValue], mention: int, condition: Condition
) -> tuple[int, ...]:
    """The numbers of a mention's values that belong to a condition."""
    return tuple(
        index
        for index, value in enumerate(values)
        if (value.name, value.stored.label, value.stored.property)
        == (value_name(mention), condition.label, condition.kind.name)
    )


def _number_values(query: QueryGraph, numbers: Sequence[tuple[int, ...]]) -> QueryGraph:
    """The query with the values of its filters as the language numbers them."""
    nodes = tuple(
        replace(node, filters=tuple(replace(f, values=numbers[f.values[0]]) for f in node.filters))
        for node in query.nodes
    )
    return replace(query, nodes=nodes)


def find_rivals(mentions: Iterable[Sequence[Mention]]) -> NameKinds:
    """The kinds of each mention of real questions, listed by each kind among them."""
    kinds: dict[ValueKind, list[tuple[ValueKind, ...]]] = defaultdict(list)
    for mention in chain.from_iterable(mentions):
        for kind in (own := list_kinds(mention)):
            kinds[kind].append(own)
    return kinds
