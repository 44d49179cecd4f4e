"""Phrases: what questions say for one step, whoever knows it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases for one step from a node Y.

    `nouns`: nouns that fit `Y's NOUN`. `asks`: whole questions, and `clauses`: noun phrases, both
    with `{}` for Y. `types`: nouns for the nodes at the end of the step. `wh`: the question word
    that asks for these nodes. `some` and `none`: noun phrases, with `{n}` for a noun, for nodes
    that such a step starts from, and for those that none does.
    """

    nouns: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    wh: str = "what"
    some: tuple[str, ...] = ()
    none: tuple[str, ...] = ()

    def join_phrases(self, other: Phrases) -> Phrases:
        return Phrases(
            tuple(dict.fromkeys(self.nouns + other.nouns)),
            tuple(dict.fromkeys(self.asks + other.asks)),
            tuple(dict.fromkeys(self.clauses + other.clauses)),
            tuple(dict.fromkeys(self.types + other.types)),
            self.wh,
            tuple(dict.fromkeys(self.some + other.some)),
            tuple(dict.fromkeys(self.none + other.none)),
        )

    def keep(self, fits: Callable[[str], bool]) -> Phrases:
        """The phrases that fit; the types stay."""
        nouns, asks, clauses, some, none = (
            tuple(filter(fits, texts))
            for texts in (self.nouns, self.asks, self.clauses, self.some, self.none)
        )
        return replace(self, nouns=nouns, asks=asks, clauses=clauses, some=some, none=none)

    def leave_out_idioms(self, idioms: Collection[str]) -> Phrases:
        """The phrases without these for nodes that have such a step, or lack it."""
        some, none = (
            tuple(text for text in texts if text not in idioms) for texts in (self.some, self.none)
        )
        return replace(self, some=some, none=none)
