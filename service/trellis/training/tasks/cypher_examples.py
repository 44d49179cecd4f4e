"""Examples of task `cypher`: questions, and their queries as sentences of the language.

A question's values are linked as answering links them; its gold query, in anybody's style, is
brought to the one sentence of the language that these values give. Where the linker missed a value
that the query needs, the value's own place in the text stands in.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.items import RETURN_FORMS
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading.queries import find_canonical_moves, find_linked_literals
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.state import TypedMove
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.cypher.words.row_ranges import list_sort_texts, write_limit_text
from trellis.automata.cypher.words.wording import (
    AND,
    ANOTHER,
    ARROWS,
    KEEP,
    KEYWORDS,
    OPERATORS,
    SCOPE_WORDS,
)
from trellis.domain.errors import CypherReadError, GraphTimeoutError, TrainingError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.linking.names.spans import find_occurrences
from trellis.questions.row import QuestionRow
from trellis.steps.link.values.value_mentions import merge_mentions, name_values, value_name
from trellis.steps.link.vocabulary.worded_values import name_worded_values
from trellis.steps.retrieve.queries.query_prompt import build_query_prompt
from trellis.training.examples import Example

LinkValues = Callable[[str], Awaitable[Sequence[Mention]]]

_AT_ONCE = 16
_MENTIONS = 10
_WALKS, _STEPS = 3_000, 14  # of random sentences
_MOST_TEXTS = 300_000  # of all their sites together, where a schema has thousands of names


@dataclass(frozen=True, slots=True)
class QueryExamples:
    """Examples, the moves of their queries, what their values were linked to, and where they come
    from."""

    examples: tuple[Example, ...] = ()
    moves: tuple[tuple[TypedMove, ...], ...] = ()
    mentions: tuple[Sequence[Mention], ...] = ()
    source: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QueryExample:
    """A question and its query as an example, the moves of the query, the question's mentions."""

    example: Example
    moves: tuple[TypedMove, ...]
    mentions: tuple[Mention, ...]


async def make_query_examples(
    questions: Sequence[QuestionRow],
    schema: Schema,
    link: LinkValues,
    rendering: RenderingOptions,
    report: Progress = ignore_progress,
) -> QueryExamples:
    """The examples of questions with gold queries; TrainingError where none can be learnt from.

    A question whose values take the graph too long is left out.
    """
    turn = asyncio.Semaphore(_AT_ONCE)
    with_query = [asked for asked in questions if asked.cypher]
    done = 0

    async def make_in_turn(asked: QuestionRow) -> QueryExample | None:
        nonlocal done
        async with turn:
            try:
                mentions = await link(asked.question)
                return make_query_example(schema, asked, mentions, rendering)
            except GraphTimeoutError:
                return None
            finally:
                done += 1
                report("given queries", done, len(with_query))

    attempts = await asyncio.gather(*map(make_in_turn, with_query))
    examples = [example for example in attempts if example is not None]
    if not examples:
        raise TrainingError(
            f"none of {len(questions)} questions has a query that can be learnt from",
            "give questions with `cypher` over the loaded graph, in the subset that is read",
        )
    source: dict[str, Scalar] = {"questions": len(questions), "queries_read": len(examples)}
    return QueryExamples(
        tuple(example.example for example in examples),
        tuple(example.moves for example in examples),
        tuple(example.mentions for example in examples),
        source,
    )


def make_query_example(
    schema: Schema,
    asked: QuestionRow,
    linked_mentions: Sequence[Mention],
    rendering: RenderingOptions,
) -> QueryExample | None:
    """The example of a question and its query; None where the language cannot say the query."""
    try:
        missed = _find_missed_values(schema, asked, linked_mentions)
        mentions = merge_mentions((*missed, *linked_mentions), schema)
        language = CypherLanguage(schema, name_values(mentions, schema), rendering)
        segments = find_canonical_moves(language, asked.cypher, asked.params)
        moves = follow_moves(language, segments).moves
    except CypherReadError:
        return None
    example = Example(build_query_prompt(asked.question, mentions), segments)
    return QueryExample(example, moves, mentions)


def _find_missed_values(
    schema: Schema, asked: QuestionRow, linked_mentions: Sequence[Mention]
) -> list[Mention]:
    """The query's values that no mention has, where the text says them, else at its end.

    A number that the question says is had by whatever it is compared with.
    """
    named = name_values(merge_mentions(linked_mentions, schema), schema)
    have = {(value.stored.label, value.stored.property, value.stored.value) for value in named}
    return [
        _place_value(asked.question, value)
        for value in find_linked_literals(schema, asked.cypher, asked.params)
        if have.isdisjoint(((value.label, value.property, value.value), ("", "", value.value)))
    ]


def _place_value(text: str, value: StoredValue) -> Mention:
    spans = find_occurrences(text, str(value.value))
    if spans:
        start, end = spans[0].start, spans[0].end
        return Mention(start, end, text[start:end], (Link(value, 1.0, "exact"),))
    return Mention(len(text), len(text), "", (Link(value, 1.0, "words"),))


def list_query_segments(language: CypherLanguage) -> list[str]:
    """The segments that sentences over a schema consist of, whatever values are linked."""
    wording, limits = language.lexicon.wording, language.options.limits
    texts = [form.word for form in RETURN_FORMS] + list(wording.labels.values())
    texts += [f"{word}{arrow}" for word in wording.types.values() for arrow in ARROWS.values()]
    texts += wording.iterate_comparison_texts()
    texts += [AND, ANOTHER, *(value_name(index) for index in range(_MENTIONS))]
    if language.options.is_wide:
        texts += sorted(KEYWORDS)
        texts += [f"{SCOPE_WORDS['number']} {sign}" for sign in OPERATORS]
    texts += [value.name for value in name_worded_values(language.known.schema)]
    rows = [*list_sort_texts(language.options), *map(write_limit_text, limits)]
    if language.options.is_wide:
        rows += [f" {KEEP}{text}" for text in list_sort_texts(language.options)]
    return [f" {word}" for word in texts] + rows


def list_offered_segments(schema: Schema, options: RenderingOptions) -> list[str]:
    """The texts of all moves at the sites of random sentences, in which a name and a number are
    linked. Equal schemas give equal ones.

    A token is learnt only where another segment goes on otherwise. So what the language offers
    beside what is said has to be known: a model that was never taught `is known` against `is
    missing` says either.
    """
    named = next((kind for kind in schema.labels if kind.naming), None)
    stored = [StoredValue(named.label, named.naming or "", "v0")] if named else []
    values = number_values([*stored, StoredValue("", "", 1, "INTEGER")])
    language = CypherLanguage(schema, values, options)
    dice, known, left = random.Random(0), dict[Hashable, Sequence[str]](), _MOST_TEXTS
    for _ in range(_WALKS):
        state = language.start()
        for _ in range(_STEPS):
            site = language.site(state)
            if site not in known:
                known[site] = language.moves(state).texts
                left -= len(known[site])
            behind = known[site] and language.follow(state, dice.randrange(len(known[site])))
            if not behind:
                break
            state = behind
        if left < 0:
            break
    return sorted({text for texts in known.values() for text in texts})
