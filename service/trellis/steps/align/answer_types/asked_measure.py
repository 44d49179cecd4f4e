"""Asked measure: `how long is Mount Everest` is not answered by how high it is.

Only adjectives that say one measure are read; whatever is `big` may be so in many ways.
"""

from __future__ import annotations

import re

from trellis.automata.cypher.property_types import NUMBERS, ORDERED
from trellis.automata.cypher.query import QueryGraph
from trellis.domain.schema import PropertyKind, Schema
from trellis.lexicon.property_phrases import is_year
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary

_ASKS = re.compile(
    r"\bhow (deep|fast|heavy|long|old|wide) (?:is|are|was|were|does|did|do|can)\b", re.IGNORECASE
)
_FORMS = {
    "deep": ("deep", "deeper", "deepest"),
    "fast": ("fast", "faster", "fastest"),
    "heavy": ("heavy", "heavier", "heaviest"),
    "long": ("long", "longer", "longest"),
    "old": ("old", "older", "oldest"),
    "wide": ("wide", "wider", "widest"),
}
_TIMES = (ORDERED - NUMBERS) | {"DURATION"}


def explain_other_measure(
    question: str, graph: QueryGraph | None, schema: Schema, reading: str
) -> str:
    """Why an answer is held back, for a note; empty where it is not: the question asks how long
    something is, and the query gives a property that is called otherwise in the lexicon."""
    asked = _ASKS.search(question)
    kind = _find_given(graph, schema) if asked and graph else None
    if not asked or kind is None or kind.type in _TIMES or is_year(kind):
        return ""
    adjective = asked[1].lower()
    words = read_schema_vocabulary(schema)
    said = words.list_property_words(kind.name)
    if not words.knows_property(kind.name) or not said.isdisjoint(_FORMS[adjective]):
        return ""
    return f"the question asks how {adjective} something is, and what was found is: {reading}"


def _find_given(graph: QueryGraph, schema: Schema) -> PropertyKind | None:
    """The property of nodes that is all that a query gives; None where it gives anything else."""
    if len(graph.items) != 1 or graph.items[0].edge is not None or graph.items[0].key == "":
        return None
    [item] = graph.items
    if item.form.function == "count" or item.part:
        return None
    return schema.find_property(graph.nodes[item.node].label, item.key)
