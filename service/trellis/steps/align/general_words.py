"""General words: how relations are spoken of, for models that learnt it from no graph.

Each relation brings the words of its name and of its concept's phrases in the general lexicon, a
few in all. Words of grammar belong to no step.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Protocol

from trellis.automata.paths.segments import step_text
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.ports import Graph
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.relation_words import limit_words, weigh_relation_words
from trellis.lexicon.schema_phrasebook import read_phrasebook
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.steps.align.weigh_sentences import WordTable
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary

_GRAMMAR_WORDS = dict.fromkeys(FUNCTION_WORDS, 0.3)
"""How often a question has a certain word of grammar."""

_WORDS = 1.0  # words that a step brings in all, at most


class WordingSettings(Protocol):
    """Settings of a task that say which small words of questions are no names."""

    @property
    def general_words(self) -> bool: ...

    @property
    def wording(self) -> Collection[str]: ...


class WordSettings(Protocol):
    """Settings of a task that say which words its steps bring."""

    @property
    def general_words(self) -> bool: ...

    @property
    def words(self) -> WordTable: ...


async def choose_wording(settings: WordingSettings, graph: Graph) -> Collection[str]:
    """The words of questions, in small letters, rather than of names: as the model learnt, or as
    the schema's parts are called."""
    if not settings.general_words:
        return settings.wording
    return read_schema_vocabulary(await graph.schema()).wording


async def choose_words(settings: WordSettings, graph: Graph) -> WordTable:
    """How often steps bring which words: as the model learnt, or as the lexicon says."""
    if not settings.general_words:
        return settings.words
    return await asyncio.to_thread(read_general_words, await graph.schema())


def read_general_words(schema: Schema) -> WordTable:
    """The words of all steps over a schema, listed once; the first time takes long, so a service
    asks for it in a thread."""
    return schema.uncounted.derive(_list_general_words)


def _list_general_words(schema: Schema) -> WordTable:
    book = read_phrasebook(schema)
    steps = (Step(kind, way) for kind in schema.relation_types for way in (False, True))
    return {"": _GRAMMAR_WORDS, **{step_text(step): _list_step_words(step, book) for step in steps}}


def _list_step_words(step: Step, book: Phrasebook) -> dict[str, float]:
    """The words that a step brings, not too many in all."""
    name = relation_words(step.relation)
    return limit_words(weigh_relation_words(name, book.phrases_of(step)), _WORDS)
