"""The prompts of tasks `cypher` and `rank`, which training and answering share."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trellis.automata.cypher.words.wording import split_name
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import Mention, StoredValue
from trellis.domain.models.prompt import NamedMention, Prompt
from trellis.steps.link.values.value_mentions import is_scattered, value_name
from trellis.steps.retrieve.queries.settings import CypherSettings, RankSettings

QUERY_CUE, RANK_CUE = "Query", "Right"

_LARGEST_SHOWN = 100
_MASKED_VALUE = re.compile(r"\b(v\d+) \([^)]*\)")
_WORD = re.compile(r"[^\W\d_]{2,}")


def build_query_prompt(question: str, mentions: Sequence[Mention]) -> Prompt:
    """The prompt of task `cypher`: mentions are replaced by their names and possible properties.

    The sentence that follows is `" count crime occurred at location address v0"`.
    """
    return build_masked_query_prompt(mask_values(question, mentions), name_value_mentions(mentions))


def build_masked_query_prompt(masked_question: str, named: tuple[NamedMention, ...] = ()) -> Prompt:
    """The prompt of task `cypher` for a question whose values are masked already."""
    return Prompt(CypherSettings.task, " ".join(masked_question.split()), QUERY_CUE, (), named)


def name_value_mentions(mentions: Sequence[Mention]) -> tuple[NamedMention, ...]:
    """Each mention with its name, and what it may be a value of, in the schema's words."""
    return tuple(
        NamedMention(
            value_name(index),
            mention.text,
            tuple(dict.fromkeys(_describe_kind(link.stored) for link in mention.links)),
        )
        for index, mention in enumerate(mentions)
    )


def split_masked_words(masked_question: str) -> list[str]:
    """The words of a question whose values are masked, in order, without its values."""
    return _WORD.findall(drop_masked_values(masked_question).lower())


def drop_masked_values(masked_question: str) -> str:
    """A question whose values are masked, without its values and what they are of."""
    return _MASKED_VALUE.sub(" ", masked_question)


def drop_masked_kinds(masked_question: str) -> str:
    """A question whose values are masked, without what these are of."""
    return _MASKED_VALUE.sub(r"\1", masked_question)


def build_rank_prompt(masked_question: str, answer_description: str) -> Prompt:
    """The prompt of task `rank`: the question masked as for task `cypher`, and one answer.

    The sentence that follows is `" yes"` or `" no"`.
    """
    masked = " ".join(masked_question.split())
    return Prompt(RankSettings.task, masked, RANK_CUE, (("Answer", answer_description),))


def mask_values(question: str, mentions: Sequence[Mention]) -> str:
    """The question in lower case; each mention is replaced by its name and possible properties.

    A scattered mention's text stays, and its name and properties are inserted before it.
    """
    parts: list[str] = []
    at = 0
    for index, mention in enumerate(mentions):
        named = f" {value_name(index)} {_describe_kinds(mention)} "
        parts += [question[at : max(at, mention.start)].lower(), named]
        at = max(at, mention.start if is_scattered(mention) else mention.end)
    parts.append(question[at:].lower())
    return "".join(parts)


def _describe_kind(stored: StoredValue) -> str:
    """What a value is of, in the schema's words; a literal is a number or a text."""
    if stored.is_literal():
        return "text" if stored.type == "STRING" else "number"
    return f"{split_name(stored.label)} {split_name(stored.property)}"


def _find_number(mention: Mention) -> Scalar:
    """The number that a mention is as a literal; None where it is none."""
    literals = (link.stored for link in mention.links if link.stored.is_literal())
    return next((each.value for each in literals if not isinstance(each.value, str)), None)


def _describe_kinds(mention: Mention) -> str:
    """`(person name, officer name)`, in the schema's words; with the value where the text stays.

    A number of the question says nothing of the properties that happen to have it; a small one is
    shown, as it may be a number of rows.
    """
    literal = _find_number(mention)
    if literal is not None:
        shown = [link.stored for link in mention.links if isinstance(link.stored.value, str)]
        small = f": {literal}" if type(literal) is int and 0 < literal <= _LARGEST_SHOWN else ""
        return f"({', '.join([*dict.fromkeys(map(_describe_kind, shown)), 'number'])}{small})"
    kinds = ", ".join(dict.fromkeys(_describe_kind(link.stored) for link in mention.links))
    value = mention.best.stored.value
    return f"({kinds}: {value})".lower() if is_scattered(mention) else f"({kinds})"
