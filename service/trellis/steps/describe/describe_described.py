"""Says in plain English how described nodes were found."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trellis.automata.cypher.words.wording import split_name
from trellis.domain.graphs.texts import TextKind
from trellis.lexicon.plurals import make_plural
from trellis.linking.questions.text_conditions import TextCondition
from trellis.steps.describe.phrases import join_phrases


def describe_described(labels: Collection[str], names: Sequence[str]) -> str:
    """`packages whose texts say what the question describes, related to Perl`."""
    related = f", related to {join_phrases(names)}" if names else ""
    return f"{_describe_labels(labels)} whose texts come nearest to the question{related}"


def describe_said(
    labels: Collection[str],
    kinds: Collection[TextKind],
    condition: TextCondition,
    names: Sequence[str],
) -> str:
    """`packages related to Qt whose description or summary says “subtitles”`."""
    properties = join_phrases(
        sorted({split_name(kind.property) or kind.property for kind in kinds}), "or"
    )
    related = f" related to {join_phrases(names)}" if names else ""
    said = _describe_phrases(condition)
    return f"{_describe_labels(labels)}{related} whose {properties} says {said}"


def explain_unsaid(labels: Collection[str], condition: TextCondition, names: Sequence[str]) -> str:
    """`no text of packages says “unicorn”`; `names`: what those that say it are not related to."""
    related = f" related to {join_phrases(names)}" if names else ""
    said = _describe_phrases(condition)
    return f"no text of {_describe_labels(labels)}{related} says {said}"


def _describe_phrases(condition: TextCondition) -> str:
    """`“jpeg” and “exif”`."""
    quoted = [f"“{phrase.text}”" for phrase in condition.phrases]
    return join_phrases(quoted, "or" if condition.is_choice else "and")


def _describe_labels(labels: Collection[str]) -> str:
    nouns = [make_plural(split_name(label) or label) for label in sorted(labels)]
    return join_phrases(nouns, "or")


def describe_quoted(name: str, property_: str) -> str:
    """`what the description of strawberry says`."""
    return f"what the {split_name(property_) or property_} of {name} says"
