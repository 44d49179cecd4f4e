"""Says in plain English how described nodes were found."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trellis.lexicon.plurals import make_plural
from trellis.steps.describe.phrases import join_phrases


def describe_described(labels: Collection[str], names: Sequence[str]) -> str:
    """`packages whose texts say what the question describes, related to Perl`."""
    nouns = [make_plural(label.replace("_", " ").lower()) for label in sorted(labels)]
    kinds = join_phrases(nouns, "or")
    related = f", related to {join_phrases(names)}" if names else ""
    return f"{kinds} whose texts come nearest to the question{related}"


def describe_quoted(name: str, property_: str) -> str:
    """`what the description of strawberry says`."""
    return f"what the {property_.replace('_', ' ')} of {name} says"
