"""The chat of task `cypher`: a hosted model is shown the schema, and its queries are read.

It writes ordinary Cypher, or sentences of the language. Values of the question are masked: it sees
their names (`v0`) and what they may be values of, never the values. Only queries of the language
are accepted: names that the graph does not have are sent back for correction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.automata.cypher.canonical import follow_moves
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_named_moves
from trellis.automata.nearest import find_sharing_texts
from trellis.automata.reader import Departure, Reader, SentenceReading
from trellis.domain.errors import CypherReadError
from trellis.domain.identifiers import quote_name as escaped
from trellis.domain.links import StoredValue
from trellis.domain.printable import quote_as_data
from trellis.domain.prompt import Prompt
from trellis.domain.schema import LabelKind, Schema
from trellis.engines.chat import Conversation, Message, UnreadableLine

INSTRUCTIONS = (
    "You write Cypher queries that answer a question over a Neo4j graph, of which you are shown "
    "the schema. Values in the question are masked: write v0 as the parameter $v0, compared with "
    "a property that it is said to be a value of. A query is a tree of at most {nodes} nodes in "
    "one or more MATCH clauses, with labels, relationship types and properties that are shown, "
    "conditions (=, <>, <, <=, >, >={conditions}) joined by AND, and a RETURN of nodes, "
    "properties, count(DISTINCT n), min, max, sum, avg or collect, with ORDER BY and LIMIT where "
    "the question needs them.{more} Write queries only, each whole on one line, the likeliest "
    "first, without numbers or comments."
)
_CONDITIONS = (
    ", IN, CONTAINS, STARTS WITH, ENDS WITH, IS NULL, IS NOT NULL, NOT, EXISTS {{ … }}, NOT EXISTS "
    "{{ … }}, COUNT {{ … }} > $v0, a property of another node"
)
_MORE = (
    " OPTIONAL MATCH, WITH that groups and WHERE behind it, WITH n ORDER BY … LIMIT before another "
    "MATCH, SKIP, two properties joined by + - * /, and conditions on properties of relationships "
    "may be used. For a question of yes or no, RETURN the one condition that decides it, as in "
    "RETURN EXISTS {{ (a)-[:KNOWS]->(b) }} or RETURN a.age > b.age. A value that is a number or a "
    "text is compared with any property of its type, or with a count."
)
_EXAMPLE = (
    "Schema:\n(:Author {name: STRING})\n(:Book {title: STRING, year: INTEGER})\n"
    "(:Author)-[:WROTE]->(:Book)\nValues:\n$v0: a name of Author\n\n"
    'Question: "how many books did v0 (author name) write?"\nWrite at most 2 queries.'
)
_ANSWER = (
    "MATCH (b:Book)<-[:WROTE]-(a:Author) WHERE a.name = $v0 RETURN count(DISTINCT b)\n"
    "MATCH (b:Book)<-[:WROTE]-(a:Author) WHERE a.name = $v0 RETURN b"
)


@dataclass(frozen=True, slots=True)
class ChatQueries:
    """The `ChatFormat` of task `cypher`."""

    line_tokens: int = 192

    def open_conversation(
        self, prompt: Prompt, language: CypherLanguage, width: int, shown_limit: int
    ) -> Conversation | None:
        if language.is_empty():
            return None
        messages = build_messages(prompt.question, language, width, shown_limit)
        return Conversation(messages, QueryReader(language))


class QueryReader:
    """Reads sentences of the language, and Cypher whose parameters are the values' names."""

    def __init__(self, language: CypherLanguage) -> None:
        self._language = language
        self._reader: Reader[Any, Any] = Reader(language)

    def read_text(self, text: str) -> SentenceReading[Any] | Departure:
        sentence = self._reader.read_text(text)
        if isinstance(sentence, SentenceReading):
            return sentence
        try:
            moves = find_named_moves(self._language, text.rstrip("; "))
            return SentenceReading(
                "".join(moves), self._language.values(follow_moves(self._language, moves))
            )
        except CypherReadError as error:
            return UnreadableLine(0, "", 0, (), f"{error.problem}")


def build_messages(
    question: str, language: CypherLanguage, width: int, shown_limit: int
) -> list[Message]:
    """The messages that ask for queries: instructions, an example, and the question."""
    request = (
        f"Schema:\n{_describe_schema(language.known.schema, question, shown_limit)}\n"
        f"Values:\n{_describe_values(language)}\n\nQuestion: {quote_as_data(question)}\n"
        f"Write at most {width} queries."
    )
    return [
        {"role": "system", "content": write_instructions(language)},
        {"role": "user", "content": _EXAMPLE},
        {"role": "assistant", "content": _ANSWER},
        {"role": "user", "content": request},
    ]


def write_instructions(language: CypherLanguage) -> str:
    """What a model may write in a language."""
    is_wide = language.options.is_wide
    return INSTRUCTIONS.format(
        nodes=language.options.nodes,
        conditions=_CONDITIONS.format() if is_wide else "",
        more=_MORE.format() if is_wide else "",
    )


def _describe_schema(schema: Schema, question: str, shown_limit: int) -> str:
    """The schema's lines; where there are more than `shown_limit`, those most like the question."""
    lines = [*map(_describe_label, schema.labels), *_describe_relationships(schema)]
    indices: Sequence[int] = range(len(lines))
    if len(lines) > shown_limit:
        indices = sorted(find_sharing_texts(lines, question.lower(), shown_limit))
    more = "\n(more labels and relationships than these)" if len(indices) < len(lines) else ""
    return "\n".join(_quote_line(lines[index]) for index in indices) + more


def _describe_label(kind: LabelKind) -> str:
    properties = ", ".join(f"{escaped(p.name)}: {p.type}" for p in kind.properties)
    return f"(:{escaped(kind.label)}{f' {{{properties}}}' if properties else ''})"


def _describe_relationships(schema: Schema) -> Iterator[str]:
    for kind in schema.relationships:
        start, end = (
            f"(:{escaped(label)})" if label else "()"
            for label in (kind.start_label, kind.end_label)
        )
        yield f"{start}-[:{escaped(kind.type)}]->{end}"


def _describe_values(language: CypherLanguage) -> str:
    """One line for each masked value: its name, and the properties it may be a value of."""
    properties: dict[str, list[str]] = {}
    for value in language.linked_values:
        if value.name[:1] == "v" and value.name[1:].isdigit():
            properties.setdefault(value.name, []).append(_describe_value(value.stored))
    listed = (f"${name}: {', or '.join(dict.fromkeys(of))}" for name, of in properties.items())
    return "\n".join(map(_quote_line, listed)) or "none"


def _describe_value(stored: StoredValue) -> str:
    """What a value may be of; a literal is a number or a text."""
    if stored.is_literal():
        return "a text" if stored.type == "STRING" else "a number"
    return f"a {escaped(stored.property)} of {escaped(stored.label)}"


def _quote_line(text: str) -> str:
    """The text on one line, whatever characters its names hold."""
    return quote_as_data(text)[1:-1].replace('\\"', '"')
