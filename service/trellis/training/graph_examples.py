"""The example questions of a graph's configuration, as training uses them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading.queries import find_canonical_moves, find_linked_literals
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.errors import CypherReadError, FileFormatError
from trellis.domain.graphs.schema import Schema
from trellis.questions.row import QuestionRow
from trellis.training.contract import Gold

LEAST_REPEATED, _MOST, _PART = 5, 50, 50
"""How often an example is repeated at least and at most; the part of all that they are to be."""

_REMEDY = "correct it in the file that TRELLIS_GRAPH_CONFIG names"

ItemT = TypeVar("ItemT")


def select_examples(examples: Sequence[QuestionRow], gold: Collection[Gold]) -> list[QuestionRow]:
    """The examples that have some of what a task learns from."""
    return [example for example in examples if _list_gold(example) & set(gold)]


def check_examples(examples: Sequence[QuestionRow], gold: Collection[Gold], schema: Schema) -> None:
    """FileFormatError, which names the example, where a query cannot be said or the graph lacks a
    relation of a path; only what is learnt from is looked at."""
    for example in examples:
        if "cypher" in gold and example.cypher:
            _check_query(example, schema)
        if "paths" in gold:
            _check_paths(example, schema)


def repeat_examples(
    examples: Sequence[ItemT], others: int, least: int = LEAST_REPEATED, part: int = _PART
) -> list[ItemT]:
    """The examples, repeated so that they count beside `others` that are not among them.

    They are repeated `least` to 50 times, so often that they are about one in `part`.
    """
    if not examples:
        return []
    return [*examples] * max(least, min(_MOST, others // (part * len(examples))))


def _list_gold(example: QuestionRow) -> set[Gold]:
    known: dict[Gold, object] = {
        "paths": example.paths,
        "cypher": example.cypher,
        "answers": example.known_answers,
    }
    return {name for name, value in known.items() if value}


def _check_query(example: QuestionRow, schema: Schema) -> None:
    try:
        values = number_values(find_linked_literals(schema, example.cypher, example.params))
        language = CypherLanguage(schema, values, RenderingOptions())
        find_canonical_moves(language, example.cypher, example.params)
    except CypherReadError as error:
        problem = f"its query cannot be learnt from: {error.problem}"
        raise FileFormatError(f"{_name_example(example)}: {problem}", _REMEDY) from error


def _check_paths(example: QuestionRow, schema: Schema) -> None:
    types = {kind.type for kind in schema.relationships}
    for step in (step for path in example.paths for step in path.steps):
        if step.relation not in types:
            problem = f"its path goes along {step.relation!r}, which the graph does not have"
            raise FileFormatError(f"{_name_example(example)}: {problem}", _REMEDY)


def _name_example(example: QuestionRow) -> str:
    return f"example {example.id} of the graph's configuration ({example.question!r})"
