"""Full names: where nodes of a label have first names and surnames, people mostly say both.

A graph keeps `Jack` and `Powell` apart, and given questions often say one of them alone. A model
that learnt from such takes the two for two people.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from trellis.automata.cypher.words.wording import OR, Wording, split_name, write_comparison
from trellis.domain.graphs.schema import LabelKind, Schema
from trellis.lexicon.full_names import FullName, find_full_name
from trellis.steps.link.values.value_mentions import value_name
from trellis.training.examples import Example
from trellis.training.language_models.pieces import MENTIONS

_SAID_FULL = 0.4  # share of the questions with a first name that get a surname
_VALUE = re.compile(r"\bv(\d+) \(([^)]*)\)")


def say_full_names(
    examples: Sequence[Example], schema: Schema, wording: Wording, seed: int
) -> list[Example]:
    """The examples, some of those that name somebody by the first name with the surname behind it.

    `wording`: how sentences call the schema's labels and properties.
    """
    questions = [example.prompt.question for example in examples]
    names = [
        _SaidName(label, full, wording, questions)
        for label in schema.labels
        if (full := find_full_name(label)) is not None
    ]
    choice = random.Random(seed)
    drawn = [choice.random() < _SAID_FULL for _ in examples]
    return [
        (is_drawn and _add_surname(example, names, choice)) or example
        for example, is_drawn in zip(examples, drawn, strict=True)
    ]


class _SaidName:
    """A label's full names as prompts and sentences say them."""

    def __init__(
        self, label: LabelKind, full: FullName, wording: Wording, questions: Iterable[str]
    ) -> None:
        self.first_kind, self.surname_kind = (
            f"{split_name(label.label)} {split_name(name)}" for name in (full.first, full.surname)
        )
        self.label = f" {wording.labels[label.label]}"
        self.first, self.surname = (
            f" {write_comparison(wording.properties[name], '=')}"
            for name in (full.first, full.surname)
        )
        self.properties = {f" {wording.properties[kind.name]}" for kind in label.properties}
        described = {match[2] for text in questions for match in _VALUE.finditer(text)}
        found = sorted(text for text in described if self.surname_kind in text.split(", "))
        self.surname_kinds = found or [self.surname_kind]


def _add_surname(
    example: Example, names: Sequence[_SaidName], choice: random.Random
) -> Example | None:
    """The example with a surname behind its first first name; None where it has none."""
    question, segments = example.prompt.question, list(example.segments)
    if f"v{MENTIONS - 1} " in question:
        return None
    for match in _VALUE.finditer(question):
        number, kinds = int(match[1]), match[2].split(", ")
        for name in names:
            at = _find_first_name(segments, number, name) if name.first_kind in kinds else None
            if at is None:
                continue
            shifted = [_shift_segment(each, number) for each in segments]
            shifted[at:at] = [name.surname, f" {value_name(number + 1)}"]
            added = f" {value_name(number + 1)} ({choice.choice(name.surname_kinds)})"
            rest = _VALUE.sub(
                lambda value: f"{value_name(int(value[1]) + 1)} ({value[2]})",
                question[match.end() :],
            )
            prompt = replace(example.prompt, question=f"{question[: match.end()]}{added}{rest}")
            return replace(example, prompt=prompt, segments=tuple(shifted))
    return None


def _find_first_name(segments: Sequence[str], number: int, name: _SaidName) -> int | None:
    """Where the surname belongs in a sentence: behind a first name, said once, that is the last
    that is said of its node."""
    value = f" {value_name(number)}"
    if segments.count(value) != 1:
        return None
    at = segments.index(value)
    following = segments[at + 1] if at + 1 < len(segments) else ""
    is_first_name = segments[at - 2 : at] == [name.label, name.first]
    is_last = following != f" {OR}" and not any(map(following.startswith, name.properties))
    return at + 1 if is_first_name and is_last else None


def _shift_segment(segment: str, number: int) -> str:
    """The segment, where it is a later value, with its name moved by one."""
    found = re.fullmatch(r" v(\d+)", segment)
    return f" {value_name(int(found[1]) + 1)}" if found and int(found[1]) > number else segment
