"""Facts as sentences: `(Rhine, FLOWS_THROUGH, Germany)` is "Rhine flows through Germany."

A sentence is made from the grammar of the relation's name alone; the graph's own triple is always
shown beside it.
"""

from __future__ import annotations

from trellis.domain.grammar_words import IRREGULAR_VERBS, PREPOSITIONS
from trellis.domain.graphs.graph import Triple
from trellis.domain.identifiers import split_identifier, split_namespaces

_BEINGS = frozenset(("branch", "capital", "kind", "member", "part", "subclass", "type"))
"""Nouns that name the relation's head where `of` follows them, as in `PART_OF_RANGE`."""

_STATES = frozenset(
    "based born built divided headquartered known located named situated".split()  # noqa: SIM905
)
"""Participles that describe a state: one is `headquartered in`, whereas `acted in` is an act."""


def write_sentence(triple: Triple) -> str:
    """The triple as one sentence, names as they stand in the graph."""
    head, tail = triple.head.name, triple.tail.name
    words = relation_words(triple.relation)
    if not words:
        return f"{head} – {tail}."
    phrase = " ".join(words)
    if is_verb_phrase(words):
        return f"{head} {phrase} {tail}."
    if is_state_phrase(words):
        return f"{head} is {phrase} {tail}."
    return f"The {phrase} of {head} is {tail}."


def relation_words(relation: str) -> list[str]:
    """A relation's words in lower case; of a name with namespaces, those of its last part."""
    return list(split_identifier(split_namespaces(relation)[-1]))


def is_verb_phrase(words: list[str]) -> bool:
    """Whether words read as a verb: `has capital`, `acted in`, `flew on`; not `directed by`,
    `located in`, `held in`."""
    first, last = words[0], words[-1]
    if first in IRREGULAR_VERBS:
        _, participle = IRREGULAR_VERBS[first]
        return participle != first or last not in PREPOSITIONS
    if first.endswith("ed"):
        return last != "by" and first not in _STATES
    return first.endswith("s") and not first.endswith("ss") and first not in PREPOSITIONS


def is_state_phrase(words: list[str]) -> bool:
    """Whether words describe a state: `in continent`, `directed by`, `part of range`."""
    between = len(words) > 1 and words[1] == "of" and words[0] in _BEINGS
    return between or words[0] in PREPOSITIONS or words[-1] in PREPOSITIONS
