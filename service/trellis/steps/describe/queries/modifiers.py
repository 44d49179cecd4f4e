"""Modifiers: what is said of a noun before and behind it, and how several are joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Determiner:
    """What stands before a noun; `a` is its article. `can_be_name`: a node with a name may be said
    as `river Rhine`."""

    text: str
    is_plural: bool = False
    can_be_name: bool = False


ONE, ALL = Determiner("a", can_be_name=True), Determiner("", is_plural=True)
SINGLE, EACH, EVERY = Determiner(""), Determiner("each"), Determiner("every")
ANY, NO, SOME = Determiner("a"), Determiner("no"), Determiner("at least one")


@dataclass(frozen=True, slots=True)
class Modifier:
    """What holds of a node, without the word that begins it. `inverse`: that is said of another
    node, of which this one is the object."""

    lead: Literal["whose", "that", "inverse", "for which"]
    text: str


ModifierMaker = Callable[[bool], Modifier]
"""Makes a modifier; whether it is the last one of its node decides on brackets inside."""


def join_modifiers(makers: Sequence[ModifierMaker]) -> str:
    """`whose length is known and that flow through a country and border a country`."""
    texts: list[str] = []
    before = ""
    for index, make in enumerate(makers):
        modifier = make(index == len(makers) - 1)
        lead = "that" if modifier.lead == "inverse" else modifier.lead
        goes_on = modifier.lead == before == "that"
        texts.append(modifier.text if goes_on else f"{lead} {modifier.text}")
        before = modifier.lead
    return " and ".join(texts)
