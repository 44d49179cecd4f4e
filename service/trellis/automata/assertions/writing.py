"""The sentence of a decomposition, in segments: what a model learns to write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from trellis.automata.assertions.language import ASKED, ASSERTION_STOP, NEXT, AssertionLanguage
from trellis.domain.errors import InputError
from trellis.domain.structures.decompositions import Assertion, Decomposition, name_entity

_ANY_WORDS = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff]+( [^\s\x00-\x1f\x7f-\x9f]+)*")


def write_decomposition(
    language: AssertionLanguage, decomposition: Decomposition
) -> tuple[str, ...]:
    """The segments of a decomposition's sentence; joined they are its text.

    Raises InputError where the language cannot say it.
    """
    numbered = number_entities(decomposition)
    _check_sayable(language, numbered)
    return tuple(_iterate_segments(numbered))


def number_entities(decomposition: Decomposition) -> Decomposition:
    """The same with its unknown entities numbered as they appear."""
    said = dict.fromkeys(entity for pair in decomposition.pairs for entity in pair)
    unknown = [entity for entity in said if entity >= decomposition.mentions]
    number = {entity: decomposition.mentions + i for i, entity in enumerate(unknown)}
    assertions = tuple(
        Assertion(number.get(a.subject, a.subject), a.words, number.get(a.object, a.object))
        for a in decomposition.assertions
    )
    asked = number.get(decomposition.asked, decomposition.asked)
    return replace(decomposition, assertions=assertions, asked=asked)


def _iterate_segments(decomposition: Decomposition) -> Iterator[str]:
    for place, each in enumerate(decomposition.assertions):
        if place:
            yield NEXT
        yield f" {name_entity(each.subject, decomposition.mentions)}"
        yield f" {each.words}"
        yield f" {name_entity(each.object, decomposition.mentions)}"
    yield ASKED
    yield f" {name_entity(decomposition.asked, decomposition.mentions)}"
    yield f" {decomposition.strategy}"


def _check_sayable(language: AssertionLanguage, decomposition: Decomposition) -> None:
    entities = {entity for pair in decomposition.pairs for entity in pair}
    for holds, problem in (
        (decomposition.mentions == language.mentions, "has other mentions"),
        (
            1 <= len(decomposition.assertions) <= language.most_assertions,
            f"has {len(decomposition.assertions)} assertions",
        ),
        (all(a != b for a, b in decomposition.pairs), "speaks of one entity alone"),
        (len(set(decomposition.assertions)) == len(decomposition.assertions), "says one twice"),
        (_is_joined(decomposition), "has an assertion that is not joined to those before it"),
        (
            decomposition.asked in entities and decomposition.asked >= language.mentions,
            "asks for no unknown entity of its own",
        ),
    ):
        if not holds:
            raise InputError(f"the decomposition {problem}", "give one that the language can say")
    for each in decomposition.assertions:
        _check_words(language, each.words)


def _is_joined(decomposition: Decomposition) -> bool:
    said: set[int] = set()
    for pair in decomposition.pairs:
        if said and not said & {*pair}:
            return False
        said |= {*pair}
    return True


def _check_words(language: AssertionLanguage, words: str) -> None:
    fits = (
        bool(_ANY_WORDS.fullmatch(words)) and ASSERTION_STOP.isdisjoint(words)
        if language.words.are_free
        else words in language.word_texts
    )
    if not fits:
        raise InputError(f"the words {words!r} cannot be said", "let any words be said, or others")
