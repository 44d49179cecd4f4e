"""Read: decompositions and schema graphs as the candidates of a question.

A candidate is a sentence whose values are the pattern of a schema graph, in normal order, and a
`SchemaReading`. Its probability is that of the assertions times that of their schema graph; where
several say the same, they are one with the sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.automata.patterns.order import find_saying, put_in_order
from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.domain.graphs.links import Mention
from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.reply import CandidateOutcome
from trellis.domain.structures.decompositions import Assertion, Decomposition
from trellis.steps.retrieve.schema_graphs.retrieve_assertions import build_schema_graph_language


@dataclass(frozen=True, slots=True)
class SchemaReading:
    """What a candidate was read from; `places`: for each triple of its pattern the index of its
    assertion."""

    decomposition: Decomposition
    places: tuple[int, ...]

    @property
    def assertions(self) -> list[Assertion]:
        """The assertions, in the order of the pattern's triples."""
        return [self.decomposition.assertions[place] for place in self.places]


def list_anchored_decompositions(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences whose decompositions hold a mention: nothing else can be traced."""
    return [each for each in sentences if get_decomposition(each).has_mention]


def get_decomposition(sentence: Sentence) -> Decomposition:
    """The decomposition that a sentence of task `assertion` says."""
    [decomposition, *_] = sentence.values
    assert isinstance(decomposition, Decomposition)
    return decomposition


def get_schema_reading(sentence: Sentence) -> SchemaReading:
    """What a candidate was read from."""
    reading = sentence.values[1]
    assert isinstance(reading, SchemaReading)
    return reading


def explain_unfitting(
    decomposed: Sequence[Sentence], kinds: RelationKinds, mentions: Sequence[Mention]
) -> str:
    """Which assertions no relation of the graph fits; empty where one fits all of some."""
    unfitting = [
        each
        for each in map(get_decomposition, decomposed)
        if build_schema_graph_language(kinds, each, mentions).is_empty()
    ]
    if not unfitting or len(unfitting) < len(decomposed):
        return ""
    return f"no relations of the graph fit the assertions: {unfitting[0].text}"


def join_schema_graphs(
    decomposed: Sequence[Sentence], built: Sequence[Sequence[Sentence]]
) -> list[Sentence]:
    """The candidates, most probable first; `built`: the schema graphs of each decomposition."""
    joined: dict[object, Sentence] = {}
    for assertions, graphs in zip(decomposed, built, strict=True):
        for graph in graphs:
            candidate = _build_candidate(assertions, graph)
            key = candidate.values[0], get_schema_reading(candidate).decomposition.strategy
            known = joined.setdefault(key, candidate)
            if known is not candidate:
                score = _add_probabilities(known.score, candidate.score)
                joined[key] = replace(known, score=score)
    return sorted(joined.values(), key=lambda candidate: -candidate.score)


def tell_assertions(
    outcomes: Sequence[CandidateOutcome], candidates: Sequence[Sentence]
) -> tuple[CandidateOutcome, ...]:
    """The outcomes of candidates, each with its decomposition as what it says."""
    return tuple(
        replace(outcome, query=get_schema_reading(candidate).decomposition)
        for outcome, candidate in zip(outcomes, candidates, strict=True)
    )


def _build_candidate(assertions: Sentence, graph: Sentence) -> Sentence:
    pattern = graph.values[0]
    reading = SchemaReading(get_decomposition(assertions), find_saying(pattern).triples)
    return Sentence(
        assertions.text,
        (),
        (put_in_order(pattern), reading),
        assertions.score + graph.score,
        assertions.choices + graph.choices,
    )


def _add_probabilities(one: float, other: float) -> float:
    """The logarithm of the sum of two probabilities, given theirs."""
    return max(one, other) + math.log1p(math.exp(-abs(one - other)))
