"""Retrieve: the language of the patterns that a question or a claim may mean.

Source: SimGRAG, sections 4.1 and 4.3. Relations and kinds are the live graph's own names, spans of
the text, or any words; what they stand for in the graph is looked up later.
"""

from __future__ import annotations

from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.automata.question_spans import list_span_texts
from trellis.domain.graphs.schema import Schema
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.paths.wider_paths import SCHEMA_PATHS, widen_trie
from trellis.steps.retrieve.patterns.settings import PatternSettings, WordSource


def build_pattern_language(form: QuestionForm, settings: PatternSettings) -> PatternLanguage:
    """The patterns that a question may mean."""
    schema, mentions = form.schema, form.mentions
    labels = tuple(sorted(kind.label for kind in schema.labels))
    return PatternLanguage(
        len(mentions),
        _choose_words(settings.relations, list_relation_types(schema), form.masked, settings),
        _choose_words(settings.kinds, labels, form.masked, settings),
        most_triples=settings.most_triples,
        walks=widen_trie(schema, mentions, SCHEMA_PATHS) if settings.general_words else None,
    )


def list_relation_types(schema: Schema) -> tuple[str, ...]:
    """The relationship types of a graph, sorted."""
    return schema.relation_types


def _choose_words(
    source: WordSource, names: tuple[str, ...], masked: str, settings: PatternSettings
) -> PatternWords:
    if source == "none":
        return PatternWords()
    if source == "free":
        return PatternWords(free_tokens=settings.free_tokens)
    spans = list_span_texts(masked, settings.span_words) if source in ("spans", "both") else ()
    return PatternWords(names if source in ("names", "both") else (), spans)
