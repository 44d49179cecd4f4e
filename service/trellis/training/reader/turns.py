"""Teaches a reader which way relationships go, and leaves all else of it as it is.

Lessons are the steps at which a relationship may be said either way: of questions that differ in
direction alone, over small graphs, and of those about made graphs.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.graph.database.progress import Progress
from trellis.lexicon.phrasebook import Phrasebook
from trellis.models.reader.features import TextEncoder
from trellis.models.reader.network import ReaderNetwork
from trellis.models.reader.turning import TurnNetwork
from trellis.training.reader.batches import BatchMaker, EncodedLessons, LessonBatch
from trellis.training.reader.directions import ask_directions
from trellis.training.reader.learn import read_batch
from trellis.training.reader.lessons import Lessons, LessonWriter
from trellis.training.reader.like_nouns import draw_like_noun
from trellis.training.reader.like_verbs import draw_like_verb
from trellis.training.reader.made_schemas import MadeSchema
from trellis.training.reader.naming import draw_habit
from trellis.training.reader.vocabulary import MadeVocabulary

_PAIRS = 18  # questions of a graph in both directions
_KNOWN = 0.12  # share of relations that the lexicon has
_NOUNS = 0.5  # share of relations that are nouns or comparisons, of those it has not
_RELATIONS = 3  # of a kind of nodes, at most
_AT_ONCE = 32  # examples that are read together
_BATCH, _RATE, _WARM_UP, _DECAY = 64, 1e-3, 100, 0.03
_TOLD = 100  # steps between two reports


@dataclass(frozen=True)
class TurnSteps:
    """Steps at which a relationship may be said either way.

    `tokens` of each question [tokens, base], `words` [steps, base], `expected` [steps, width] and
    `margins` [steps] as of `TurnNetwork`; `ahead` [steps]: 1 where it is said ahead, else 0.
    """

    tokens: tuple[Tensor, ...]
    words: Tensor
    expected: Tensor
    margins: Tensor
    ahead: Tensor

    def select(self, rows: Sequence[int]) -> tuple[tuple[Tensor, ...], Tensor]:
        """What `TurnNetwork` is told of some steps, and what is right."""
        tokens = pad_sequence([self.tokens[row].float() for row in rows], batch_first=True)
        sizes = torch.tensor([len(self.tokens[row]) for row in rows])
        seen = torch.arange(tokens.shape[1])[None] < sizes[:, None]
        own = torch.tensor(rows)
        given = self.words[own].float(), self.expected[own].float(), self.margins[own]
        return (tokens, seen, *given), self.ahead[own]

    @classmethod
    def join(cls, parts: Sequence[TurnSteps]) -> TurnSteps:
        """All steps of several."""
        joined = (
            torch.cat([getattr(part, name) for part in parts])
            for name in ("words", "expected", "margins", "ahead")
        )
        return cls(tuple(each for part in parts for each in part.tokens), *joined)


def draw_like_graph(vocabulary: MadeVocabulary, seed: int) -> MadeSchema:
    """A small graph of two kinds of nodes, each of which do something to one another."""
    choice = random.Random(seed)
    habit = replace(draw_habit(choice), abbreviates=0.0)
    naming = PropertyKind("name", "STRING", unique=True, indexed=True, examples=())
    labels, types, own = list[LabelKind](), list[RelationshipKind](), {}
    for kind in choice.sample(vocabulary.kinds, 2):
        label = habit.name_label(kind, choice)
        labels.append(LabelKind(label, 100, "name", (naming,)))
        for _ in range(choice.randint(1, _RELATIONS)):
            if choice.random() < _KNOWN:
                said = choice.choice(vocabulary.relations)
                words = choice.choice(said["names"])
            else:
                words, said = _draw_relation(kind, choice)
            name = habit.name_type(words, choice)
            if name not in own:
                own[name] = said
                types.append(RelationshipKind(name, label, label, 50))
    schema = Schema(tuple(labels), tuple(types), 200, 100, str(seed), {})
    return MadeSchema(schema, replace(Phrasebook.of_schema(schema), own=own))


def _draw_relation(kind: str, choice: random.Random) -> tuple[str, Mapping[str, Any]]:
    """The words of the name of a relation between nodes of a kind, and its phrases."""
    if choice.random() < _NOUNS:
        noun = draw_like_noun(choice)
        words, is_turned = noun.draw_name(choice)
        return words, noun.say_relation(kind, is_turned=is_turned)
    verb = draw_like_verb(choice)
    words, is_turned = verb.draw_name(choice)
    is_past = words.startswith(verb.verb.past) and not is_turned
    return words, verb.say_relation(kind, is_turned=is_turned, is_past=is_past)


def make_turn_lessons(vocabulary: MadeVocabulary, seeds: range) -> LessonWriter:
    """Questions in both directions over the small graphs of some seeds."""
    writer = LessonWriter()
    for seed in seeds:
        for example in ask_directions(draw_like_graph(vocabulary, seed), _PAIRS, seed):
            writer.add_example(example)
    return writer


@torch.no_grad()
def read_turn_steps(
    network: ReaderNetwork, files: Sequence[Path], encoder: TextEncoder, report: Progress
) -> TurnSteps:
    """The steps of some files of lessons at which a relationship may be said either way, as the
    network without its `turn` reads them."""
    network.eval()
    parts = []
    for number, file in enumerate(files):
        encoded = EncodedLessons.encode(Lessons.load([file]), encoder)
        maker = BatchMaker(encoded, 1)
        seen = encoded.texts.question_seen[encoded.lessons.questions, 0]
        usable = np.flatnonzero(seen)
        for first in range(0, len(usable), _AT_ONCE):
            batch = maker.build_batch(usable[first : first + _AT_ONCE], np.random.default_rng(0))
            parts += _read_batch(network, batch)
        report("files read", number + 1, len(files))
    return TurnSteps.join(parts)


def _read_batch(network: ReaderNetwork, batch: LessonBatch) -> list[TurnSteps]:
    """The steps of a batch; none where no relationship of it may be turned."""
    read = read_batch(network, batch, "cpu")
    found = [
        (row, step, said, twin)
        for row, steps in enumerate(batch.said)
        for step, said in enumerate(steps)
        if said >= 0 and (twin := _find_twin(batch, row, step, said)) is not None
    ]
    if not found:
        return []
    rows, steps, said, twins = map(list, zip(*found, strict=True))
    moves = batch.moves[batch.shown[rows, said]]
    ahead = torch.from_numpy(moves[:, 1] == 1)
    margins = read.logits[rows, steps, said] - read.logits[rows, steps, twins]
    sizes = batch.texts.question_seen.sum(1)
    return [
        TurnSteps(
            tuple(read.tokens[row, : int(sizes[row])].half() for row in rows),
            read.texts[moves[:, 2]].half(),
            read.expected[rows, steps].half(),
            torch.where(ahead, margins, -margins).float(),
            ahead.float(),
        )
    ]


def _find_twin(batch: LessonBatch, row: int, step: int, said: int) -> int | None:
    """The place of what is said in the other direction, where that may be said there too."""
    shown = batch.moves[batch.shown[row]]
    own = shown[said]
    if not own[1]:
        return None
    is_twin = (shown[:, [0, 2, 3]] == own[[0, 2, 3]]).all(1) & (shown[:, 1] == 3 - own[1])
    places = np.flatnonzero(is_twin & batch.options[row, step])
    return int(places[0]) if len(places) else None


def learn_turns(turn: TurnNetwork, lessons: TurnSteps, steps: int, report: Progress) -> None:
    """Teach which way relationships go, in so many steps."""
    optimizer = torch.optim.AdamW(turn.parameters(), lr=_RATE, weight_decay=_DECAY)
    drawn = random.Random(0)
    turn.train()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = _RATE * min(1.0, (step + 1) / _WARM_UP) * (1 - step / steps)
        given, ahead = lessons.select(drawn.choices(range(len(lessons.tokens)), k=_BATCH))
        loss = functional.binary_cross_entropy_with_logits(turn(*given), ahead)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        if (step + 1) % _TOLD == 0:
            report("steps", step + 1, steps, f"loss {float(loss.detach()):.3f}")
    turn.eval()


@torch.no_grad()
def judge_turns(turn: TurnNetwork, lessons: TurnSteps) -> float:
    """The share of steps whose right direction is the more probable one."""
    right = 0
    for first in range(0, len(lessons.tokens), _BATCH):
        given, ahead = lessons.select(range(first, min(first + _BATCH, len(lessons.tokens))))
        right += int(((turn(*given) > 0) == (ahead > 0)).sum())
    return right / max(1, len(lessons.tokens))
