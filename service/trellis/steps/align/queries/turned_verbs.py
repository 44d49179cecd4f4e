"""Turned verbs: queries whose relationship goes the other way than a passive of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.query import TURNED, QueryEdge, QueryGraph
from trellis.domain.models.decoding import Sentence
from trellis.steps.align.passive_verbs import find_passive_types
from trellis.steps.align.queries.rewriting import read_sentence, say_query
from trellis.steps.link.question_form import QuestionForm


def turn_verbs(
    form: QuestionForm, sentences: Sequence[Sentence], language: CypherLanguage
) -> list[Sentence]:
    """The sentences, best first. Between nodes of one kind, a relationship that the question says
    in the passive goes from what is said to what does it, whichever of both the question names."""
    types = find_passive_types(form)
    if not types:
        return list(sentences)
    scores: dict[str, Sentence] = {}
    for each in sentences:
        turned = _turn_sentence(each, types, language)
        former = scores.get(turned.text)
        score = float(np.logaddexp(former.score, each.score)) if former else each.score
        scores[turned.text] = replace(former or turned, score=score)
    return sorted(scores.values(), key=lambda it: -it.score)


def _turn_sentence(
    sentence: Sentence, types: Mapping[str, bool], language: CypherLanguage
) -> Sentence:
    """The sentence with its relationships of some types turned as far as need be. `types`: whether
    one begins at what is asked for, and not at what is named."""
    graph = read_sentence(sentence, language)
    if graph is None:
        return sentence
    edges = tuple(
        replace(edge, direction=TURNED[edge.direction]) if _goes_back(graph, edge, types) else edge
        for edge in graph.edges
    )
    turned = replace(graph, edges=edges)
    return (say_query(turned, sentence, language) if edges != graph.edges else None) or sentence


def _goes_back(graph: QueryGraph, edge: QueryEdge, types: Mapping[str, bool]) -> bool:
    if edge.type not in types or edge.direction == "any":
        return False
    start, end = edge.source, edge.target
    if edge.direction == "in":
        start, end = end, start
    asked, named = (start, end) if types[edge.type] else (end, start)
    given = {item.node for item in graph.items}
    return asked not in given and named in given and _is_named(graph, asked)


def _is_named(graph: QueryGraph, node: int) -> bool:
    return any(each.operator == "=" and each.values for each in graph.nodes[node].filters)
