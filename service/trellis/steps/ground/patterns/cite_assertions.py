"""Cite: evidence beside the assertions that found it, in their order.

Source: STEM, section 3.6: the traces are joined and put in the order in which assertions depend on
one another, so that a reasoner reads them as a chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.domain.graphs.facts import Fact, describe_triples
from trellis.domain.graphs.graph import Triple
from trellis.domain.graphs.links import Mention
from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.reply import GroundedNode
from trellis.steps.ground.patterns.ground_patterns import GroundedReading
from trellis.steps.retrieve.schema_graphs.read_schema_graphs import (
    SchemaReading,
    get_schema_reading,
)


def cite_assertions(
    grounded: Sequence[GroundedReading],
    candidates: Sequence[Sentence],
    mentions: Sequence[Mention],
) -> list[GroundedReading]:
    """The readings with facts that say for each triple the assertion that it answers."""
    return [
        _cite_reading(each, get_schema_reading(candidates[each.reading.sentence]), mentions)
        for each in grounded
    ]


def _cite_reading(
    grounded: GroundedReading, reading: SchemaReading, mentions: Sequence[Mention]
) -> GroundedReading:
    said = [
        _name_mentions(reading.decomposition.write_assertion(each), mentions)
        for each in reading.assertions
    ]
    nodes = tuple(_cite_node(node, said, reading) for node in grounded.finding.nodes)
    return replace(grounded, finding=replace(grounded.finding, nodes=nodes))


def _name_mentions(text: str, mentions: Sequence[Mention]) -> str:
    """An assertion with the names of its mentions."""
    for index, mention in reversed(list(enumerate(mentions))):
        text = text.replace(f'"ENT{index + 1}"', mention.best.node.name)
    return text


def _cite_node(node: GroundedNode, said: Sequence[str], reading: SchemaReading) -> GroundedNode:
    return replace(node, facts=tuple(_cite_fact(fact, said, reading) for fact in node.facts))


def _cite_fact(fact: Fact, said: Sequence[str], reading: SchemaReading) -> Fact:
    """A fact whose triples stand in the order of the assertions, each behind its own."""
    if len(fact.triples) != len(said):
        return fact
    placed: list[tuple[int, str, Triple]] = sorted(
        zip(reading.places, said, fact.triples, strict=True), key=lambda each: each[0]
    )
    text = "; ".join(f"{assertion}: {describe_triples([t])}" for _, assertion, t in placed)
    return replace(fact, text=text, triples=tuple(triple for _, _, triple in placed))
