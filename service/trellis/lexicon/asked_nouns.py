"""Asked nouns: what a step leads to, and the questions and noun phrases for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trellis.lexicon.label_kinds import is_agent, is_person, is_place
from trellis.lexicon.plurals import is_plural

ONE = ("the one", "the thing")
"""Nouns where the kind of node is not known."""

FEW = 2
"""Nouns of a kind that are said in each of a verb's forms."""


@dataclass(frozen=True, slots=True)
class AskedNouns:
    """What is asked for: its nouns, and by which word people ask for it."""

    nouns: tuple[str, ...]

    @property
    def wh(self) -> str:
        return "who" if is_person(self.nouns) else "what"

    @property
    def askings(self) -> tuple[str, ...]:
        """The words that ask for it alone: both where it may be anything, or people together."""
        if is_person(self.nouns):
            return ("who",)
        is_either = not self.nouns or (is_agent(self.nouns) and not is_place(self.nouns))
        return ("what", "who") if is_either else ("what",)

    def shorten(self) -> AskedNouns:
        """The same with its first nouns alone, for what is said less often."""
        return AskedNouns(self.nouns[:FEW])

    def ask_subject(self, third: str, plain: str) -> Iterator[str]:
        """Questions for what does something: a verb phrase in the third person and in its base
        form, with `{}`."""
        yield from (f"{wh} {third}" for wh in self.askings)
        for noun in self.nouns:
            yield f"which {noun} {plain if is_plural(noun) else third}"

    def ask_object(self, rest: str, preposition: str = "") -> Iterator[str]:
        """Questions for what something is done to, with a preposition at either end if any."""
        behind = f" {preposition}" if preposition else ""
        yield from (f"{wh} {rest}{behind}" for wh in self.askings)
        for noun in self.nouns:
            yield f"which {noun} {rest}{behind}"
            if preposition:
                yield f"{preposition} which {noun} {rest}"

    def add_clause(self, third: str, plain: str) -> Iterator[str]:
        """Noun phrases with a relative clause: a verb phrase as in `ask_subject`."""
        for noun in self.nouns or ONE:
            yield f"{noun} that {plain if is_plural(noun) else third}"

    def describe(self, rest: str) -> Iterator[str]:
        """Noun phrases with words right behind the noun."""
        yield from (f"{noun} {rest}" for noun in self.nouns or ONE)
