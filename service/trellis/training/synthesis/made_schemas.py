"""Makes schemas that no graph has, with words for their relations, to learn the reading of any.

A model that has read many of them says what a question says in the words of the schema before it,
instead of what it remembers of one: relations are named in English words at random and after the
concepts of the lexicon, in all the ways in which names are written; questions say them in their own
words, in words near to these, or in the lexicon's.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from trellis.domain.graph import Step
from trellis.training.language_models import words
from trellis.training.synthesis.phrasebook import Phrasebook
from trellis.training.synthesis.walks import SampledPath

_WORDS = 12_000  # frequent words that names are made of
_LEAST_LETTERS = 3
_NEAR, _ALIKE = 6, 0.45  # of a word: the most that are near it, and from which cosine on
_RELATIONS = (4, 40)  # of a schema
_LABELS = (2, 24)
_KNOWN = 0.45  # share of relations that are named after a concept of the lexicon
_LIKE_ANOTHER = 0.3  # share of relations whose name shares words with another's
_NEAR_SAID = 0.35  # share of made names that questions may say in words near to theirs
_LABELLED = 0.6  # share of schemas whose nodes have labels that mean something
_INVERSES = 0.15  # share of schemas that name both directions
_PATHS = 40  # of a schema, by length
_AGAIN = 0.12  # share of steps that repeat the one before
_BACK = 0.3  # share of steps that go against their relation
_FUNCTION_WORDS = frozenset(
    """the and was for that with his from her you had were but this are not they she has have its
    who which what when where why how whom whose did does will would could should can may might must
    him them their our your all any some none each every both one two there here then than also only
    very more most less least same such other another name names named list give tell show find know
    called please about out into over under back after before been being because though although
    while during until these those your yours mine ours""".split()  # noqa: SIM905
)
_BEFORE = ("in", "of", "by", "at", "for", "from", "to", "with", "on")


@dataclass(frozen=True, eq=False, slots=True)
class MadeSchema:
    """Paths through a made schema, and the phrases for its relations and labels."""

    relations: tuple[str, ...]
    paths: tuple[SampledPath, ...]
    book: Phrasebook


@dataclass(frozen=True, slots=True)
class _Relation:
    name: str
    start: str | None
    end: str | None


class SchemaMaker:
    """Makes schemas; equal seeds make equal ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._book = Phrasebook.load()
        self._words = [
            word
            for word in words.frequent_words(_WORDS)
            if len(word) >= _LEAST_LETTERS and word not in _FUNCTION_WORDS
        ]
        self._near = _find_near_words(self._words)
        self._concepts = [c for c in self._book.concepts.values() if c["names"]]
        self._types = list(self._book.types)

    def make_schema(self) -> MadeSchema:
        """A schema with paths of up to three steps."""
        style = self._random.choice(_STYLES)
        labels = self._draw_labels() if self._random.random() < _LABELLED else ()
        own: dict[str, dict[str, Any]] = {}
        relations: dict[str, _Relation] = {}
        inverses = self._random.random() < _INVERSES
        spaces = [self._draw_word() for _ in range(self._random.randint(1, 4))]
        kinds = list(labels) or [self._draw_word() for _ in range(self._random.randint(1, 6))]
        plain: list[tuple[str, ...]] = []
        for _ in range(self._random.randint(*_RELATIONS)):
            said, phrases = self._draw_name(plain)
            plain.append(said)
            start, end = (self._random.choice(labels) if labels else None for _ in range(2))
            holder = (self._random.choice(spaces), start or self._random.choice(kinds))
            name = style(said, holder)
            if name in relations:
                continue
            relations[name] = _Relation(name, start, end)
            if phrases:
                own[name] = phrases
            if inverses and self._random.random() < 0.5:
                back = style((*said, "inverse"), holder)
                relations.setdefault(back, _Relation(back, end, start))
        book = replace(self._book, own=own)
        paths = self._draw_paths([*relations.values()])
        return MadeSchema(tuple(relations), _hide_shared_labels(paths, relations.values()), book)

    def _draw_labels(self) -> tuple[str, ...]:
        count = self._random.randint(*_LABELS)
        drawn = (
            self._random.choice(self._types) if self._random.random() < 0.6 else self._draw_word()
            for _ in range(count)
        )
        return tuple(dict.fromkeys(label.title().replace(" ", "") for label in drawn))

    def _draw_word(self) -> str:
        return self._random.choice(self._words)

    def _draw_name(
        self, before: Sequence[tuple[str, ...]]
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """The words of a relation's name, and phrases for it beside those that the name gives."""
        if self._random.random() < _KNOWN:
            concept = self._random.choice(self._concepts)
            return tuple(self._random.choice(concept["names"]).split()), {}
        if before and self._random.random() < _LIKE_ANOTHER:
            other = self._random.choice(before)
            said = self._change_name(other)
        else:
            said = self._make_name()
        return said, self._say_nearly(said) if self._random.random() < _NEAR_SAID else {}

    def _make_name(self) -> tuple[str, ...]:
        draw = self._random.random()
        if draw < 0.45:
            return (self._draw_word(),)
        if draw < 0.7:
            return (self._draw_word(), self._draw_word())
        if draw < 0.8:
            return (self._draw_word(), self._random.choice(_BEFORE[1:2]), self._draw_word())
        if draw < 0.9:
            return (self._draw_word(), self._random.choice(_BEFORE))
        if draw < 0.95:
            return ("has", self._draw_word())
        return ("is", self._draw_word(), self._random.choice(_BEFORE))

    def _change_name(self, other: tuple[str, ...]) -> tuple[str, ...]:
        """A name that shares words with another."""
        draw = self._random.random()
        last = other[-1]
        if draw < 0.25 and not last.endswith("s"):
            return (*other[:-1], f"{last}s")
        if draw < 0.6:
            return (*other, self._draw_word())
        if draw < 0.85:
            return (self._draw_word(), last)
        return other

    def _say_nearly(self, said: tuple[str, ...]) -> dict[str, Any]:
        """Nouns for a relation in words that are near to those of its name."""
        nouns = {
            " ".join(self._draw_near(word) for word in said if word not in ("has", "is"))
            for _ in range(3)
        }
        return {"nouns": sorted(nouns)}

    def _draw_near(self, word: str) -> str:
        return self._random.choice(self._near.get(word) or [word])

    def _draw_paths(self, relations: Sequence[_Relation]) -> list[SampledPath]:
        """Paths that the labels allow, of each length."""
        drawn: dict[tuple[Step, ...], SampledPath] = {}
        for relation in relations:
            for back in (False, True) if self._random.random() < 2 * _BACK else (False,):
                steps = (Step(relation.name, back),)
                end = relation.start if back else relation.end
                drawn[steps] = SampledPath(steps, (end,), 1 if back else 4)
        for length in (2, 3):
            for _ in range(_PATHS):
                path = self._draw_path(relations, length)
                drawn[path.steps] = path
        return list(drawn.values())

    def _draw_path(self, relations: Sequence[_Relation], length: int) -> SampledPath:
        steps: list[Step] = []
        labels: list[str | None] = []
        for _ in range(length):
            if steps and self._random.random() < _AGAIN:
                relation, back = steps[-1].relation, steps[-1].reversed
                one = next(each for each in relations if each.name == relation)
            else:
                one, back = self._random.choice(relations), self._random.random() < _BACK
            steps.append(Step(one.name, back))
            labels.append(one.start if back else one.end)
        return SampledPath(tuple(steps), tuple(labels), 2)


def _hide_shared_labels(
    paths: Sequence[SampledPath], relations: Iterable[_Relation]
) -> tuple[SampledPath, ...]:
    """The paths without the labels that several relations lead to: a question that says such a
    label alone does not tell which relation it means. Where questions have two conditions, both
    say a relation."""
    leads = Counter(end for each in relations for end in {each.start, each.end})
    return tuple(
        replace(path, labels=tuple(x if leads[x] == 1 else None for x in path.labels))
        for path in paths
    )


def _find_near_words(known: Sequence[str]) -> dict[str, list[str]]:
    """For each word those whose vectors are near, other forms of it included."""
    vectors = words.word_vectors(known)
    near: dict[str, list[str]] = {}
    for start in range(0, len(known), 1_000):
        cosines = vectors[start : start + 1_000] @ vectors.T
        order = np.argpartition(-cosines, _NEAR, axis=1)[:, : _NEAR + 1]
        for row, columns in enumerate(order.tolist()):
            word = known[start + row]
            found = [known[c] for c in columns if cosines[row, c] >= _ALIKE and known[c] != word]
            if found:
                near[word] = sorted(found)
    return near


Style = Callable[[Sequence[str], Sequence[str]], str]
"""Writes the words of a name, and those of its namespaces, as one name."""


def _write_snake(said: Sequence[str], _: Sequence[str]) -> str:
    return "_".join(said)


def _write_capitals(said: Sequence[str], _: Sequence[str]) -> str:
    return "_".join(said).upper()


def _write_camel(said: Sequence[str], _: Sequence[str]) -> str:
    return said[0] + "".join(word.capitalize() for word in said[1:])


def _write_spaced(said: Sequence[str], _: Sequence[str]) -> str:
    return " ".join(said)


def _join_spaces(separator: str, lead: str = "") -> Style:
    def write(said: Sequence[str], spaces: Sequence[str]) -> str:
        parts = (re.sub(r"\W+", "_", space).lower() for space in spaces)
        return lead + separator.join((*parts, "_".join(said)))

    return write


_STYLES: tuple[Style, ...] = (
    _write_snake,
    _write_snake,
    _write_capitals,
    _write_capitals,
    _write_camel,
    _write_spaced,
    _join_spaces("__", "__"),
    _join_spaces("."),
    _join_spaces("/", "/"),
)
