"""Relation paths that a made schema allows, and what may be said at each of their steps."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from trellis.automata.paths.segments import step_text
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.models.reader.moves import END_MOVE, read_walk_move
from trellis.steps.link.mask_mentions import mention_placeholder
from trellis.training.examples import MentionPath, PathExample
from trellis.training.reader.lessons import ReaderStep
from trellis.training.synthesis.walks import SampledPath

_LONGEST = 4
_LENGTHS = (0.4, 0.35, 0.17, 0.08)
_LACKED = 0.3  # share of relations that a certain node lacks, though its label may have them


class MadePaths:
    """Draws paths over a schema. `is_labelled`: whether nodes have labels that tell their kinds;
    else only the relations say what leads where."""

    def __init__(self, schema: Schema, seed: int, *, is_labelled: bool) -> None:
        self._choice = random.Random(seed)
        self._is_labelled = is_labelled
        self._from: dict[str, list[tuple[Step, str]]] = {}
        for kind in schema.relationships:
            self._from.setdefault(kind.start_label, []).append((Step(kind.type), kind.end_label))
            back = Step(kind.type, reversed=True), kind.start_label
            self._from.setdefault(kind.end_label, []).append(back)

    def draw_paths(self, count: int) -> list[SampledPath]:
        """Different paths, each with the labels that it goes over."""
        paths: dict[tuple[Step, ...], SampledPath] = {}
        for _ in range(3 * count):
            length = self._choice.choices(range(1, _LONGEST + 1), _LENGTHS)[0]
            path = self._draw_path(length)
            if path:
                paths.setdefault(path.steps, path)
            if len(paths) >= count:
                break
        return list(paths.values())

    def _draw_path(self, length: int) -> SampledPath | None:
        if not self._from:
            return None
        here = start = self._choice.choice(list(self._from))
        steps, labels = list[Step](), list[str | None]()
        for _ in range(length):
            step, here = self._choice.choice(self._from[here])
            if steps and steps[-1] == step.turn() and self._choice.random() < 0.8:
                return None
            steps.append(step)
            labels.append(here if self._is_labelled else None)
        return SampledPath(tuple(steps), tuple(labels), 1, start if self._is_labelled else None)

    def can_trace(self, example: PathExample) -> bool:
        """Whether all its paths can be walked by the schema, and none is longer than is learnt."""
        return all(
            len(path.steps) <= _LONGEST and self._find_starts(path.steps) for path in example.paths
        )

    def trace_paths(self, example: PathExample) -> tuple[ReaderStep, ...]:
        """The steps of an example's sentence. What else may be said at each is drawn: of the
        relations that nodes of these labels may have, a certain node lacks some."""
        names = [mention_placeholder(n) for n in range(1 + max(p.mention for p in example.paths))]
        steps = [self._trace_start(names, example.paths[0])]
        for number, path in enumerate(example.paths, 1):
            later = names[path.mention + 1 :]
            steps += self._trace_path(path, later, is_last=number == len(example.paths))
        return tuple(steps)

    def _trace_start(self, names: Sequence[str], path: MentionPath) -> ReaderStep:
        return ReaderStep(tuple(read_walk_move(f" {name}") for name in names), path.mention)

    def _trace_path(
        self, path: MentionPath, later: Sequence[str], *, is_last: bool
    ) -> Iterator[ReaderStep]:
        """The steps behind a start; `later`: the names of starts of paths that may meet this."""
        meeting = tuple(read_walk_move(f" & {name}") for name in later)
        here = self._find_starts(path.steps)
        for place, step in enumerate((*path.steps, None)):
            options = self._draw_options(here, step) if place < _LONGEST else []
            moves = tuple(read_walk_move(step_text(each)) for each in options)
            moves = (END_MOVE, *moves, *meeting) if place else moves
            if step is None:
                yield ReaderStep(moves, 0 if is_last else len(moves) - len(meeting))
            else:
                yield ReaderStep(moves, options.index(step) + bool(place))
                here = self._follow_step(here, step)

    def _find_starts(self, steps: Sequence[Step]) -> set[str]:
        """The labels from which all steps can be walked."""
        starts = set()
        for label in self._from:
            here = {label}
            for step in steps:
                here = self._follow_step(here, step)
            starts |= {label} if here else set()
        return starts

    def _follow_step(self, here: set[str], step: Step) -> set[str]:
        return {end for label in here for each, end in self._from.get(label, ()) if each == step}

    def _draw_options(self, here: set[str], step: Step | None) -> list[Step]:
        """The relations that may come next, among them `step`."""
        every = {each for label in here for each, _ in self._from.get(label, ())}
        options = sorted(every, key=step_text)  # in an order that a seed repeats
        return [each for each in options if each == step or self._choice.random() >= _LACKED]
