"""Joined denials: queries that deny one of two things where the question denies both.

`Which movies have neither an award nor a studio?`: a model that writes the one half, and with less
probability the other one, has read both. The query of both halves is a sentence of the language.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.query import QueryFilter, QueryGraph
from trellis.automata.cypher.renumbering import Renumbering, reorder_query
from trellis.domain.decoding import Sentence
from trellis.domain.graph import Scalar, Step
from trellis.domain.links import Mention, StoredValue
from trellis.domain.schema import says_no
from trellis.lexicon.names import strip_endings
from trellis.linking.operators import find_joint_denial
from trellis.linking.text import bare_words
from trellis.linking.value_index import has_same_stem
from trellis.steps.align.queries.rewritten.rewriting import list_values, read_sentence, say_query
from trellis.steps.align.unsaid_operators import find_name_spans
from trellis.steps.describe.queries.read_meaning import read_meaning
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary, read_schema_vocabulary

_Known = tuple[SchemaVocabulary, Sequence[StoredValue]]
"""The words of the graph's labels, and the values that queries have indices of."""

_JOINT = 2  # things that a joint denial denies
_MOST_HALVES = 6  # queries among which two halves are sought


def join_denials(
    question: str,
    mentions: Sequence[Mention],
    sentences: Sequence[Sentence],
    language: CypherLanguage,
) -> list[Sentence]:
    """The sentences, best first. Where the question denies two things, the best two that deny one
    each of the same nodes, and that it says, become one with the probability of both; of the others
    those are left that deny two things, too."""
    if not find_joint_denial(question, find_name_spans(mentions)):
        return list(sentences)
    values = list_values(language)
    read = [(each, read_sentence(each, language)) for each in sentences[:_MOST_HALVES]]
    words = read_schema_vocabulary(language.known.schema)
    said = set(map(strip_endings, bare_words(mask_mentions(question, mentions))))
    linked = {link.stored.value for mention in mentions for link in mention.links}
    halves = [
        (each, split)
        for each, graph in read
        if graph
        and (split := _split_denials(graph, values)).denials == 1
        and split.is_said(said, linked, (words, values))
    ]
    for (first, one), (second, other) in combinations(halves, 2):
        joined = _join(one, other)
        if joined and (whole := say_query(joined, first, language)):
            score = float(np.logaddexp(first.score, second.score))
            both = [each for each in sentences if _count(each) >= _JOINT]
            return sorted([replace(whole, score=score), *both], key=lambda it: -it.score)
    return list(sentences)


def count_denials(graph: QueryGraph, values: Sequence[StoredValue]) -> int:
    """How many things a query denies; each of the names that it rules out is one."""
    scopes = [at for at, scope in enumerate(graph.scopes, 1) if scope.kind in ("none", "number")]
    visible = [each for scope, each in _list_filters(graph) if not _is_denied(graph, scope)]
    denying = [each for each in visible if _denies(each, values)]
    count = sum(max(1, len(each.list_choices())) for each in denying)
    for scope in scopes:
        within = [each for number, each in _list_filters(graph) if number == scope]
        count += max([1, *(len(each.list_choices()) for each in within)])
    return count


def _count(sentence: Sentence) -> int:
    """How many things its query denies; of one that cannot be read, nothing is known."""
    meaning = read_meaning(sentence.values[0])
    return count_denials(meaning.graph, meaning.values) if meaning else 0


@dataclass(frozen=True, slots=True)
class _SplitQuery:
    """A query whose denials come last, and the same without them. `filters`: by the number of a
    node those of its filters that deny something."""

    whole: QueryGraph
    rest: QueryGraph
    filters: tuple[tuple[QueryFilter, ...], ...]

    @property
    def denials(self) -> int:
        return sum(map(len, self.filters)) + len(self.whole.scopes) - len(self.rest.scopes)

    def is_said(self, said: Set[str], linked: Set[Scalar], known: _Known) -> bool:
        """Whether the question says a word of each relationship that is denied, and of each
        property whose value it does not name. `said`: its words, of which those for what it asks
        for do not count: `films` does not speak of their genres. `linked`: the values it names."""
        words, values = known
        asked = {node.label for node in self.rest.nodes}
        nouns = {strip_endings(noun) for noun, label in words.nouns.items() if label in asked}
        denied = self.whole.edges[len(self.rest.edges) :]
        parts = [words.list_step_words(Step(edge.type)) for edge in denied if edge.type]
        filters = [it for scope, it in _list_filters(self.whole) if _is_denied(self.whole, scope)]
        for each in (*filters, *(it for denying in self.filters for it in denying)):
            if linked.isdisjoint(values[number].value for number in each.values):
                parts.append(words.list_property_words(each.property))
        return all(
            any(has_same_stem(word, other) for word in said - nouns for other in part - nouns)
            for part in parts
        )


def _split_denials(graph: QueryGraph, values: Sequence[StoredValue]) -> _SplitQuery:
    none = {number for number, scope in enumerate(graph.scopes, 1) if scope.kind == "none"}
    nodes = sorted(range(len(graph.nodes)), key=lambda it: graph.nodes[it].scope in none)
    edges = sorted(range(len(graph.edges)), key=lambda it: graph.edges[it].scope in none)
    whole = reorder_query(graph, nodes, edges)
    kept = [node for node in whole.nodes if not _is_denied(whole, node.scope)]
    filters = tuple(tuple(it for it in node.filters if _denies(it, values)) for node in kept)
    rest = replace(
        whole,
        nodes=tuple(
            replace(node, filters=tuple(it for it in node.filters if it not in denying))
            for node, denying in zip(kept, filters, strict=True)
        ),
        edges=tuple(edge for edge in whole.edges if not _is_denied(whole, edge.scope)),
        scopes=tuple(scope for scope in whole.scopes if scope.kind != "none"),
    )
    return _SplitQuery(whole, rest, filters)


def _join(one: _SplitQuery, other: _SplitQuery) -> QueryGraph | None:
    """The query that denies both; None where they differ in more than that."""
    if one.rest != other.rest:
        return None
    first, second = one.whole, other.whole
    kept, edges = len(one.rest.nodes), len(one.rest.edges)
    renumber = Renumbering(
        {it: it + (it >= kept) * (len(first.nodes) - kept) for it in range(len(second.nodes))},
        {it: it + (it >= edges) * (len(first.edges) - edges) for it in range(len(second.edges))},
    )
    later = len(first.scopes) - len(one.rest.scopes)
    added = [renumber.move_node(node) for node in second.nodes[kept:]]
    joined = replace(
        first,
        nodes=(*first.nodes, *(replace(it, scope=it.scope + later) for it in added)),
        edges=(
            *first.edges,
            *(
                renumber.move_edge(replace(edge, scope=edge.scope + later))
                for edge in second.edges[edges:]
            ),
        ),
        scopes=(*first.scopes, *second.scopes[len(one.rest.scopes) :]),
    )
    nodes = list(joined.nodes)
    for number, denying in enumerate(other.filters):
        nodes[number] = replace(nodes[number], filters=(*nodes[number].filters, *denying))
    return replace(joined, nodes=tuple(nodes))


def _is_denied(graph: QueryGraph, scope: int) -> bool:
    return bool(scope) and graph.scopes[scope - 1].kind == "none"


def _list_filters(graph: QueryGraph) -> list[tuple[int, QueryFilter]]:
    """All filters, each with the number of the scope that it belongs to."""
    of_nodes = [(node.scope, each) for node in graph.nodes for each in node.filters]
    return of_nodes + [(edge.scope, each) for edge in graph.edges for each in edge.filters]


def _denies(each: QueryFilter, values: Sequence[StoredValue]) -> bool:
    """Whether a filter wants something not to be so: another value, none, or a flag not set."""
    if each.operator == "IS NULL":
        return not each.is_negated
    is_unset = any(says_no(values[number].value) for number in each.values)
    return each.is_negated or each.operator == "<>" or (each.operator == "=" and is_unset)
