"""A grammar of right-linear rules, as a language's states give them."""

from __future__ import annotations

from dataclasses import dataclass

END = -1
"""Stands for the rule behind a sentence."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Some texts of which one is said, and the rule behind them; END without texts: nothing."""

    texts: tuple[str, ...]
    then: int


@dataclass(frozen=True, slots=True)
class FreeChoice:
    """Any words without the characters of `stop`, behind `lead`, and the rule behind them."""

    lead: str
    stop: frozenset[str]
    longest: int
    then: int


@dataclass(frozen=True, slots=True)
class Grammar:
    """Rules by number, the first of which says a sentence.

    `is_exact`: whether its sentences are those of the language; otherwise states of one site were
    taken for one another, or what lies behind a bound was left out.
    """

    rules: tuple[tuple[Choices | FreeChoice, ...], ...]
    is_exact: bool

    def list_texts(self) -> tuple[str, ...]:
        """All texts that are said somewhere, once each."""
        choices = (choice for rule in self.rules for choice in rule)
        said = (text for choice in choices if isinstance(choice, Choices) for text in choice.texts)
        return tuple(dict.fromkeys(said))
