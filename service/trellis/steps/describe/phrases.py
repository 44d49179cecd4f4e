"""Names as English phrases: plurals, articles, verbs in their forms, texts in quotation marks."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from trellis.domain.grammar_words import IRREGULAR_VERBS
from trellis.domain.graphs.sentences import is_state_phrase, is_verb_phrase
from trellis.lexicon.plurals import HISSING

_PLURAL_VERBS = {"does": "do", "goes": "go", "has": "have", "is": "are", "was": "were"}

_NAME = re.compile(r"[^\W\d_a-z][\w'’.&-]*( [\w'’.&-]+)*")
_RESERVED = frozenset(
    "and are as is it named nor or than that they which who whose with".split()  # noqa: SIM905
)


def make_plural_verb(verb: str) -> str:
    """A verb in the third person singular (`flows`), in the plural (`flow`)."""
    if verb in _PLURAL_VERBS:
        return _PLURAL_VERBS[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if verb.endswith("es") and verb[:-2].endswith(HISSING) and not verb.endswith(("ses", "zes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def join_phrases(phrases: Sequence[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, last = phrases
    return f"{', '.join(others)} {word} {last}" if others else last


def quote_text(text: str) -> str:
    """A text as it stands where it reads as a name, else in quotation marks."""
    if _NAME.fullmatch(text) and _RESERVED.isdisjoint(text.lower().split()):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


@dataclass(frozen=True, slots=True)
class RelationPhrase:
    """The words of a relationship type, and how they stand between its start and its end.

    `acts`: `flows through`; `acted`: `acted in`; `is`: `in continent`; `has`: `capital`. A phrase
    that is `quoted` would otherwise read as another type's. `known`: how all types are said.
    """

    words: tuple[str, ...]
    kind: Literal["acts", "acted", "is", "has", "quoted"]
    known: Collection[str] = ()

    @classmethod
    def of(cls, text: str, known: Collection[str] = ()) -> RelationPhrase:
        """The phrase of a type that is said by `text`."""
        words = tuple(text.split()) or (text,)
        if f"has {text}" in known or f"is {text}" in known:
            return cls(words, "quoted")
        small = text.lower().split() or [text]
        if small[0] == "has" and len(words) > 1:
            return cls(words[1:], "has")
        if is_verb_phrase(small):
            return cls(words, "acts" if words[0].endswith("s") else "acted", known)
        return cls(words, "is" if is_state_phrase(small) else "has", known)

    def write_predicate(self, end_noun: str, is_plural: bool, is_negated: bool = False) -> str:
        """The words between the start and the end: `flow through`, `does not flow through`.

        `end_noun`: what the end is called; words that repeat it are left out. `is_plural`: the
        start is in the plural.
        """
        rest = self._drop_noun(end_noun)
        if self.kind == "acts":
            verb, *after = rest
            base = make_plural_verb(verb)
            finite = f"{_DO_NOT[is_plural]} {base}" if is_negated else base if is_plural else verb
            return " ".join((finite, *after))
        if self.kind == "acted":
            verb, *after = rest
            participle = f"{_HAVE_NOT[is_plural]} {_read_participle(verb)}"
            return " ".join((participle if is_negated else verb, *after))
        if self.kind == "is":
            being = "are" if is_plural else "is"
            return " ".join((f"{being} not" if is_negated else being, *rest))
        having = f"{_DO_NOT[is_plural]} have" if is_negated else "have" if is_plural else "has"
        if self.kind == "quoted":
            return f'{having} "{" ".join(self.words)}"'
        return f"{having} as {' '.join(rest)}" if rest else having

    def _drop_noun(self, noun: str) -> tuple[str, ...]:
        """The words without the noun that they end in: `in continent` of a continent is `in`."""
        ending = tuple(noun.split())
        if not ending or self.words[-len(ending) :] != ending:
            return self.words
        rest = self.words[: -len(ending)]
        if self.kind == "has":
            return self.words if rest else ()
        return rest if rest and " ".join(rest) not in self.known else self.words


_DO_NOT = {False: "does not", True: "do not"}
_HAVE_NOT = {False: "has not", True: "have not"}


def _read_participle(past: str) -> str:
    return IRREGULAR_VERBS.get(past.lower(), (past, past))[1]
