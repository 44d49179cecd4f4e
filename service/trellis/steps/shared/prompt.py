"""How a question is put to a model that decodes: the same in training and in answering."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.cypher.wording import words
from trellis.domain.links import Mention
from trellis.steps.queries.value_mentions import ValueMention, value_name

_ASKED, _TOLD, _QUERIED = "Question: ", "\nPath:", "\nQuery:"
_ANSWERED, _JUDGED = "\nAnswer: ", "\nRight:"


def placeholder(index: int) -> str:
    """The name that mention `index` (from 0) goes by in prompts and sentences."""
    return f"ENT{index + 1}"


def masked(question: str, mentions: Sequence[Mention]) -> str:
    """The question in lower case with each mention's span replaced by its placeholder."""
    parts: list[str] = []
    at = 0
    for index, mention in enumerate(mentions):
        apart = " " if mention.start == mention.end else ""  # a topic that the text does not say
        parts += [question[at : mention.start].lower(), apart, placeholder(index)]
        at = mention.end
    parts.append(question[at:].lower())
    return " ".join("".join(parts).split())


def path_prompt(question: str, mentions: Sequence[Mention]) -> str:
    """The prompt of task `path`; mentions in the order of their spans, none overlapping.

    The sentence that follows is `" ENT1 -> relation -> relation"`, backward steps as `<-`.
    """
    return f"{_ASKED}{masked(question, mentions)}{_TOLD}"


def question_of(prompt: str) -> str:
    """The question that a prompt of task `path` puts, on one line; its mentions are masked."""
    return prompt.removeprefix(_ASKED).removesuffix(_TOLD)


def query_prompt(question: str, mentions: Sequence[ValueMention]) -> str:
    """The prompt of task `cypher`: each mention's text by its name, and what it may be a value of.

    The sentence that follows is `" count crime occurred at location address v0"`.
    """
    return asking(_named(question, mentions))


def rank_prompt(question: str, mentions: Sequence[ValueMention], described: str) -> str:
    """The prompt of task `rank`: the question as a query is asked for, and one answer described.

    The sentence that follows is `" yes"` or `" no"`.
    """
    asked = " ".join(_named(question, mentions).split())
    return f"{_ASKED}{asked}{_ANSWERED}{described}{_JUDGED}"


def asking(masked_text: str) -> str:
    """The prompt of task `cypher` that puts a question whose mentions are masked."""
    return f"{_ASKED}{' '.join(masked_text.split())}{_QUERIED}"


def asked_in(prompt: str) -> str:
    """The question that a prompt of task `cypher` puts."""
    return prompt.removeprefix(_ASKED).removesuffix(_QUERIED)


def _named(question: str, mentions: Sequence[ValueMention]) -> str:
    """The question in lower case, each mention's text by its name and what it may be."""
    parts: list[str] = []
    at = 0
    for index, mention in enumerate(mentions):
        named = f" {value_name(index)} {_kinds(mention)} "
        parts += [question[at : max(at, mention.start)].lower(), named]
        at = max(at, mention.start, mention.end)
    parts.append(question[at:].lower())
    return "".join(parts)


def _kinds(mention: ValueMention) -> str:
    """`(person name, officer name)`, in the schema's words; the value too where the text stays."""
    said = ", ".join(f"{words(label)} {words(name)}" for label, name in mention.kinds)
    return f"({said}: {mention.links[0].value})".lower() if mention.stays else f"({said})"
