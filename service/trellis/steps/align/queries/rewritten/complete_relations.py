"""Complete relations: queries that leave out what a noun of the question says of their nodes.

`Which capitals lie on the Danube` asks for cities of which some country has each as its capital: a
query for cities on the Danube lacks a part, which is said as the model would have said it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.query import (
    Direction,
    QueryEdge,
    QueryGraph,
    QueryNode,
    QueryScope,
)
from trellis.domain.decoding import Sentence
from trellis.domain.graph import Step
from trellis.domain.links import Mention
from trellis.steps.align.queries.rewritten.rewriting import read_sentence, say_query
from trellis.steps.align.said_steps import measure_said_steps
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary


def complete_relations(
    question: str,
    mentions: Sequence[Mention],
    sentences: Sequence[Sentence],
    language: CypherLanguage,
) -> list[Sentence]:
    """The sentences; one that leaves out a relation which a noun names gets a part that says it of
    a node of the kind which that relation leads to: of each such node in turn, with equal shares of
    the probability.

    It stays as it is where it has no such node, or has another relation of which the question says
    no word: whatever led to that, the noun may have meant.
    """
    words = read_schema_vocabulary(language.known.schema)
    said = words.match_relation_nouns(mask_mentions(question, mentions))
    completed = list(sentences)
    for noun, relation in said.items():
        steps = [step for step in words.find_steps(noun) if step.relation == relation]

        def is_said(types: Collection[str]) -> bool:
            own = [Step(each) for each in types if each]
            return measure_said_steps(question, mentions, own, words) == 1

        completed = [
            whole
            for each in completed
            for whole in _complete_sentence(each, relation, steps, is_said, language)
        ]
    return completed


def _complete_sentence(
    sentence: Sentence,
    relation: str,
    steps: Sequence[Step],
    is_said: Callable[[Collection[str]], bool],
    language: CypherLanguage,
) -> list[Sentence]:
    graph = read_sentence(sentence, language)
    if graph is None:
        return [sentence]
    types = {edge.type for edge in graph.edges}
    if relation in types or not is_said(types):
        return [sentence]
    found = [
        whole
        for larger in _add_relation(graph, steps, language)
        if (whole := say_query(larger, sentence, language))
    ]
    share = math.log(len(found)) if found else 0.0
    return [replace(whole, score=whole.score - share) for whole in found] or [sentence]


def _add_relation(
    graph: QueryGraph, steps: Sequence[Step], language: CypherLanguage
) -> Iterator[QueryGraph]:
    """The query with one of some steps said of one of its nodes, which it leads to."""
    pairs = {
        (kind.start_label, kind.end_label, step)
        if step.reversed
        else (kind.end_label, kind.start_label, step)
        for step in steps
        for kind in language.known.schema.relationships
        if kind.type == step.relation
    }
    for end, start, step in sorted(pairs, key=repr):
        for number, node in enumerate(graph.nodes):
            if node.label == end and node.same is None and not node.scope:
                scope, added = len(graph.scopes) + 1, len(graph.nodes)
                direction: Direction = "out" if step.reversed else "in"
                edge = QueryEdge(number, added, step.relation, direction, scope=scope)
                yield replace(
                    graph,
                    nodes=(*graph.nodes, QueryNode(start, scope=scope)),
                    edges=(*graph.edges, edge),
                    scopes=(*graph.scopes, QueryScope("some")),
                )
