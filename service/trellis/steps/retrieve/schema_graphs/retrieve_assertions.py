"""Retrieve: the languages of a question's assertions, and of their schema graphs.

Source: STEM, sections 3.1 and 3.2. Assertions are hypotheses: their words need not be the
graph's. Relations are those of the live schema.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.assertions.language import AssertionLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.automata.question_spans import list_span_texts
from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.automata.schema_graphs.language import SchemaGraphLanguage
from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.structures.decompositions import Decomposition
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.paths.wider_paths import SCHEMA_PATHS, widen_trie
from trellis.steps.retrieve.schema_graphs.settings import AssertionSettings


def build_assertion_language(form: QuestionForm, settings: AssertionSettings) -> AssertionLanguage:
    """The decompositions of a question."""
    schema, mentions = form.schema, form.mentions
    walks = widen_trie(schema, mentions, SCHEMA_PATHS) if settings.words == "schema" else None
    words, most = _choose_words(form, settings), settings.most_assertions
    return AssertionLanguage(len(mentions), words, most_assertions=most, walks=walks)


def _choose_words(form: QuestionForm, settings: AssertionSettings) -> PatternWords:
    if settings.words == "free":
        return PatternWords(free_tokens=settings.free_tokens)
    if settings.words == "known":
        return PatternWords(settings.known)
    if settings.words == "schema":
        return PatternWords(_list_relation_words(form.schema))
    return PatternWords((), list_span_texts(form.masked, settings.span_words))


def _list_relation_words(schema: Schema) -> tuple[str, ...]:
    """The words of the relationship types, which several may share; those without words are left
    out."""
    words = (" ".join(relation_words(each)) for each in schema.relation_types)
    return tuple(filter(None, dict.fromkeys(words)))


def build_schema_graph_language(
    kinds: RelationKinds, decomposition: Decomposition, mentions: Sequence[Mention] = ()
) -> SchemaGraphLanguage:
    """The schema graphs of a decomposition; `mentions`: those of its question, where their nodes
    are to fit."""
    count = 1 + max(end for pair in decomposition.pairs for end in pair)
    labels = [kinds.find_labels(_list_labels(mention)) for mention in mentions]
    domains = tuple(
        labels[entity] if entity < len(labels) else kinds.every_label for entity in range(count)
    )
    return SchemaGraphLanguage(
        decomposition.mentions, decomposition.pairs, decomposition.asked, kinds, domains
    )


def _list_labels(mention: Mention) -> list[str]:
    """The labels of the nodes that a mention is taken to mean."""
    anchors = set(list_anchor_ids(mention))
    nodes = (link.node for link in mention.links if link.node.id in anchors)
    return [label for node in nodes for label in node.labels]
