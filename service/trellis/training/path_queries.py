"""Paths as queries: what explains a question's answers, in Cypher.

Source: GraphRAFT, synthesis of queries for question-answer pairs: one hop, two hops, two anchors
meeting in the answer, ranked by hits, precision and brevity (`supervision`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from trellis.domain.identifiers import quoted
from trellis.domain.schema import Schema
from trellis.domain.values import Node, Step
from trellis.training.mentions import Reading, mention_of
from trellis.training.questions import Asked, GoldPath


def queried(schema: Schema, readings: Sequence[Reading], paths: Sequence[GoldPath]) -> Asked | None:
    """The question with the query that its paths are; None where a topic is not linked, or has
    no property that names it."""
    reading = readings[0]
    found = [(_anchor(reading, path.topic), path) for path in paths]
    conditions = [(_condition(schema, node), path) for node, path in found if node]
    said = [(condition, path) for condition, path in conditions if condition]
    if not said or len(said) < len(paths):
        return None
    return replace(reading.asked, cypher="\n".join(_lines(said)))


def _anchor(reading: Reading, topic: str) -> Node | None:
    number = mention_of(topic, reading.mentions)
    return None if number is None else reading.mentions[number].links[0].node


def _condition(schema: Schema, node: Node) -> tuple[str, str] | None:
    """A label of the node, and the condition that it has its name."""
    for label in node.labels:
        kind = schema.label(label)
        naming = kind.naming if kind else None
        if naming:
            return label, f"{quoted(naming)} = {_literal(node.name)}"
    return None


def _lines(paths: Sequence[tuple[tuple[str, str], GoldPath]]) -> Iterator[str]:
    """A clause for each path, from the answer `x0` to its topic."""
    number = 1
    for (label, condition), path in paths:
        text = "(x0)"
        for at, step in reversed(list(enumerate(path.steps))):
            node = f"x{number}"
            end = f"({node}:{quoted(label)} WHERE {node}.{condition})" if at == 0 else f"({node})"
            text += f"{_arrow(step)}{end}"
            number += 1
        yield f"MATCH {text}"
    yield "RETURN x0"


def _arrow(step: Step) -> str:
    """A step as it is walked from its end to its beginning."""
    kind = quoted(step.relation)
    return f"-[:{kind}]->" if step.reversed else f"<-[:{kind}]-"


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
