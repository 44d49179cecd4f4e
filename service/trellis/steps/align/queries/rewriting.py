"""Rewriting: the query of a sentence as a graph, and a sentence that says another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.meaning.rendering import render_query
from trellis.automata.cypher.reading.queries import read_query
from trellis.automata.cypher.sentences.canonical import follow_moves, spell_query
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.links import StoredValue
from trellis.domain.models.decoding import Sentence


def read_sentence(sentence: Sentence, language: CypherLanguage) -> QueryGraph | None:
    """The query of a sentence; None where it is none that the language says."""
    [query, *_] = sentence.values
    try:
        return read_query(language, query.text, query.params)
    except CypherReadError:
        return None


def list_values(language: CypherLanguage) -> list[StoredValue]:
    """The linked values of a language, by whose places its queries name them."""
    return [value.stored for value in language.linked_values]


def rewrite_sentence(
    sentence: Sentence, graph: QueryGraph, values: Sequence[StoredValue]
) -> Sentence:
    """The sentence with another query in place of its own."""
    return replace(sentence, values=render_query(graph, values))


def say_query(graph: QueryGraph, sentence: Sentence, language: CypherLanguage) -> Sentence | None:
    """The sentence of a query, with the score of another one; None where the language has none."""
    try:
        state = follow_moves(language, spell_query(language, graph))
    except CypherReadError:
        return None
    return replace(sentence, text=state.text.strip(), tokens=(), values=language.values(state))
