"""The prompts of tasks `assertion` and `schema_graph`, which training and answering share."""

from __future__ import annotations

from trellis.domain.models.prompt import NamedMention, Prompt
from trellis.domain.structures.decompositions import Decomposition
from trellis.steps.retrieve.schema_graphs.settings import AssertionSettings, SchemaGraphSettings

ASSERTION_CUE, SCHEMA_GRAPH_CUE = "Assertions", "Schema graph"


def build_assertion_prompt(masked_question: str, named: tuple[NamedMention, ...] = ()) -> Prompt:
    """The prompt for a question whose mentions are masked.

    The sentence that follows is a decomposition as `automata.assertions` says it.
    """
    return Prompt(
        AssertionSettings.task, " ".join(masked_question.split()), ASSERTION_CUE, (), named
    )


def build_schema_graph_prompt(
    decomposition: Decomposition, named: tuple[NamedMention, ...] = ()
) -> Prompt:
    """The prompt for the assertions of a question, without the question itself.

    The sentence that follows is a schema graph as `automata.schema_graphs` says it.
    """
    return Prompt(SchemaGraphSettings.task, decomposition.text, SCHEMA_GRAPH_CUE, (), named)
