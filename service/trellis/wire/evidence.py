"""The evidence of an answer: statements of the graph as names, as sentences, and to draw."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Self

from pydantic import BaseModel, Field

from trellis.domain.graphs.facts import PropertyFact, Statement
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.graphs.sentences import write_sentence
from trellis.domain.identifiers import split_identifier
from trellis.linking.questions.said_words import find_said_words
from trellis.linking.values.units import UNITS, split_unit

TripleBody = tuple[str, str, str]
"""Names of head, relation and tail."""

ValueBody = str | int | float | bool | list[str | int | float | bool | None]
"""The value of a property. Times and points are texts; long texts and lists are cut."""

StatementBody = tuple[str, str, ValueBody]
"""Names of head, relation and tail, or the name of a node, a property and its value."""

_GROUPED_FROM = 10_000  # years and other short numbers are written without commas


class NodeBody(BaseModel):
    """A node, under the name it answers by."""

    name: str
    id: str = Field(description="Its element id in Neo4j; empty: a value.")
    labels: list[str] = []

    @classmethod
    def of_node(cls, node: Node, **fields: Any) -> Self:
        """A node, with the further `fields` of a subclass."""
        return cls(name=node.name, id=node.id, labels=list(node.labels), **fields)


class EdgeBody(BaseModel):
    """A relationship, by the element ids of the nodes that it joins."""

    source: str
    target: str
    type: str
    fact: int | None = Field(None, description="Its number in `evidence`, from 0.")


class PropertyBody(BaseModel):
    """The value of a node's property; `node`: the node's element id."""

    node: str
    key: str
    value: ValueBody
    length: int | None = Field(
        None, description="Of a value that is cut: its whole number of characters or items."
    )
    start: int | None = Field(
        None, description="Of a passage: the character of the whole text at which it begins."
    )
    said: list[tuple[int, int]] | None = Field(
        None,
        description="Of a text to read: the characters `[start, end)` of `value` that are words of "
        "the question, in any form.",
    )
    fact: int | None = Field(None, description="Its number in `evidence`, from 0.")


class SubgraphBody(BaseModel):
    """The evidence to draw: its nodes once each, its relationships and values of properties."""

    nodes: list[NodeBody] = []
    edges: list[EdgeBody] = []
    properties: list[PropertyBody] = []

    @classmethod
    def of(cls, statements: Iterable[Statement], question: str = "") -> SubgraphBody:
        """The subgraph of statements; `question`: whose words are marked in texts."""
        numbered = list(enumerate(statements))
        properties = [(n, it) for n, it in numbered if isinstance(it, PropertyFact)]
        texts = [it.value for _, it in properties if it.is_text]
        said = iter(find_said_words(texts, question))
        ends = (node for _, it in numbered for node in list_nodes(it))
        return cls(
            nodes=list(map(NodeBody.of_node, dict.fromkeys(ends))),
            edges=[
                EdgeBody(source=it.head.id, target=it.tail.id, type=it.relation, fact=number)
                for number, it in numbered
                if isinstance(it, Triple)
            ],
            properties=[
                PropertyBody(
                    node=it.node.id,
                    key=it.key,
                    value=convert_value(it.value),
                    length=it.length,
                    start=it.start or None,
                    said=next(said) if it.is_text else None,
                    fact=number,
                )
                for number, it in properties
            ],
        )


def list_nodes(statement: Statement) -> tuple[Node, ...]:
    """The nodes of a statement."""
    if isinstance(statement, Triple):
        return statement.head, statement.tail
    return (statement.node,)


def list_triple_names(triples: Iterable[Triple]) -> list[TripleBody]:
    """Triples as names of head, relation and tail, as they stand in the graph."""
    return [(triple.head.name, triple.relation, triple.tail.name) for triple in triples]


def list_statements(statements: Iterable[Statement]) -> list[StatementBody]:
    """Statements as names and values, as they stand in the graph."""
    return [
        (it.head.name, it.relation, it.tail.name)
        if isinstance(it, Triple)
        else (it.node.name, it.key, convert_value(it.value))
        for it in statements
    ]


def convert_value(value: Any) -> Any:
    """A property's value as JSON can hold it: numbers that are none, or infinite, are texts."""
    if isinstance(value, tuple):
        return [convert_value(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def write_statement(statement: Statement) -> str:
    """A statement as one sentence: "The length of Nile is 6650 km.". Texts are quoted."""
    if isinstance(statement, Triple):
        return write_sentence(statement)
    words, unit = split_unit(split_identifier(statement.key))
    name = statement.node.name
    if not words:
        return f"{name} – {statement.value_text}."
    if statement.is_text:
        return f"The {' '.join(words)} of {name} says: {statement.value_text}."
    value = _write_number(statement.value) or statement.value_text
    written = f"{value} {UNITS[unit][0]}" if unit else value
    return f"The {' '.join(words)} of {name} is {written}."


def _write_number(value: Any) -> str:
    """A number as people read it; empty for any other value."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if not math.isfinite(value) or abs(value) < _GROUPED_FROM:
        return ""
    return f"{value:,}"
