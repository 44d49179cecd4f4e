"""What the user asked of training, and what came of it: the same for all tasks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from trellis.automata.cypher.options import Rendering
from trellis.domain.derived import Derivable
from trellis.domain.graphs.graph import Revisit
from trellis.domain.models.card import ModelCard
from trellis.models.reader.folder import READER, is_reader
from trellis.questions.row import QuestionRow

MINI = "mini"
"""The base that is trained from scratch, for one graph."""

RUN = ".run"
"""The folder inside the model's that an unfinished run is kept in."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TuningOptions:
    """How a general model is tuned; None: what suits.

    `rank`, `alpha`, `targets`: of the LoRA adapter; no targets: all linear layers. `quantised`: the
    base is held in 4 bits (QLoRA). `batch`: rows a step. `rate`: of learning. `shots`: examples in
    each prompt. `prompts`: chats with instructions and schema, or the question alone.
    `prompt_tokens`, `sentence_tokens`: the most tokens of a prompt, and of what is written, when
    the model is asked. `processes`: one for each GPU. `memory`: the most bytes that it may take; 0:
    what is free.
    """

    rank: int = 16
    alpha: int | None = None
    targets: tuple[str, ...] = ()
    quantised: bool = False
    epochs: float | None = None
    batch: int = 16
    rate: float | None = None
    shots: int = 0
    prompts: Literal["chat", "question"] = "chat"
    prompt_tokens: int = 3_000
    sentence_tokens: int = 1_024
    processes: int | None = None
    memory: int = 0


@dataclass(frozen=True, slots=True)
class TrainingOptions(Derivable):
    """What the user asked for; None: what suits.

    `limit`: use this many questions, or synthesise this many. `wording`: a graph's own phrases.
    `rendering`: how queries are written. `tuning`: of a base that is a general model.
    """

    out: Path
    questions: tuple[Path, ...] = ()
    base: str | None = None
    full: bool = False
    hops: int | None = None
    limit: int | None = None
    seed: int = 0
    steps: int | None = None
    revisit: Revisit | None = None
    wording: Path | None = None
    rendering: Rendering = "brief"
    edge_budget: int = 200_000
    device: str | None = None
    tuning: TuningOptions = TuningOptions()

    @property
    def general_base(self) -> str | None:
        """The general model that is tuned; None where a mini is trained, or a reader."""
        return None if self.base in (None, MINI) or self.moves_reader else self.base

    @property
    def moves_reader(self) -> bool:
        """Whether the base is the reader that is shipped, or the folder of another; decided once,
        whatever becomes of that folder."""
        return self.derive(_names_reader)

    @property
    def writes_chats(self) -> bool:
        """Whether the model is taught by chats."""
        return self.general_base is not None and self.tuning.prompts == "chat"

    @property
    def run_folder(self) -> Path:
        return self.out / RUN


def _names_reader(options: TrainingOptions) -> bool:
    base = options.base
    return base is not None and (base == READER or is_reader(Path(base)))


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """What was trained: its card, how many examples there were, and the seconds of this run,
    reading and linking included. `judged_questions`: those that were kept apart, so that the
    confidence of the methods can be fitted on them."""

    card: ModelCard
    examples: int
    seconds: float
    judged_questions: tuple[QuestionRow, ...] = ()


def sample_items(items: Sequence[T], limit: int | None, seed: int) -> list[T]:
    """At most `limit` of the items, at random."""
    if limit is None or limit >= len(items):
        return list(items)
    return random.Random(seed).sample(list(items), limit)
