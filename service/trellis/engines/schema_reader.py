"""A model that nobody trained: it reads a question by what the graph calls its own relations.

Each relation brings the words of its name and of its concept's phrases in the general lexicon, and
words that mean the same; the paths that best explain the question's words are the likeliest (a
noisy channel, as in `steps/align/weigh_sentences`). So a graph can be asked right after it was
loaded. A trained model knows more: how people ask this graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from trellis.automata.segments import step_text
from trellis.automata.walk_states import WalkState
from trellis.automata.walks import Walks
from trellis.domain.card import Calibration, ModelCard
from trellis.domain.decoding import Search, Sentence
from trellis.domain.errors import WrongTaskError
from trellis.domain.graph import Step
from trellis.domain.ports import Embedder
from trellis.domain.prompt import Prompt
from trellis.lexicon.phrasebook import Phrasebook
from trellis.linking.spans import FUNCTION_WORDS
from trellis.models.folder_list import UNTRAINED
from trellis.steps.align.general_words import GRAMMAR_WORDS, list_step_words
from trellis.steps.align.weigh_sentences import BroughtWords, list_question_words
from trellis.steps.retrieve.paths.settings import PathSettings

_MOST_WALKS = 300  # walks of one length that are continued, the likeliest ones
_STEP, _RETURN = -0.25, -3.0  # log-weights of a step, and of one that goes back the same way
_ASKED, _NOT_ASKED = 2.0, -2.0  # of an end that who, when or where asks for, and of another one
_UNSAID, _LEAST_SAID = -0.5, 0.03  # of a step that no word of the question brings so often
_UNUSED = -3.0  # of a name that no walk begins from
_TRUST = 0.7  # weight of all logs: words are not as independent as they are taken to be
_LEAST_SURE = 0.25  # confidence below which an answer is held back
_WH = ("who", "when", "where")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A state of the language, and the steps of its walks."""

    state: WalkState
    steps: tuple[Step, ...]
    walks: int


@dataclass
class SchemaReader:
    """Writes paths without any training. It needs an embedder for words that mean the same."""

    embedder: Embedder | None
    book: Phrasebook = field(default_factory=Phrasebook.load)
    hops: int = 2
    _known: dict[Step, dict[str, float]] = field(default_factory=dict)

    @property
    def card(self) -> ModelCard:
        card = ModelCard.of(UNTRAINED, PathSettings(hops=self.hops, meets=True))
        return replace(card, calibrations={"gcr": Calibration(abstain_below=_LEAST_SURE)})

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """For each prompt the likeliest `search.width` paths; scores are over all that were read.

        Raises WrongTaskError for another task than `path`.
        """
        for prompt in prompts:
            if prompt.task != PathSettings.task:
                raise WrongTaskError(
                    f"the model that nobody trained does not do task {prompt.task!r}",
                    f"train one with `trellis train --task {prompt.task}`",
                )
        return [
            await self._read_question(prompt.question, language, search.width)
            for prompt, language in zip(prompts, languages, strict=True)
        ]

    async def _read_question(self, question: str, language: Walks, width: int) -> list[Sentence]:
        said, found = list_question_words(question), list[tuple[float, _Reading]]()
        current = [_Reading(language.start(), (), 0)]
        for _ in range(2 * (language.hops + 1)):
            current = [new for reading in current for new in _continue(language, reading)]
            if not current:
                break
            scores = await self._score(said, question, language, current)
            ranked = sorted(zip(scores, current, strict=True), key=lambda pair: -pair[0])
            found += [(s, r) for s, r in ranked if r.steps and language.accepting(r.state)]
            current = [reading for _, reading in ranked[:_MOST_WALKS]]
        return _build_sentences(language, found, width)

    async def _score(
        self, said: Sequence[str], question: str, language: Walks, readings: Sequence[_Reading]
    ) -> list[float]:
        """The log-weight of each reading, by the words that it explains."""
        steps = {step for reading in readings for step in reading.steps}
        table = {step_text(step): self._list_words(step) for step in steps}
        table[""] = GRAMMAR_WORDS
        pairs = {step: (step_text(step), step.relation) for step in steps}
        brought = await BroughtWords.look_up(said, set(pairs.values()), table, self.embedder)
        telling = [i for i, word in enumerate(said) if word not in FUNCTION_WORDS]
        unsaid = {
            step
            for step, (segment, _) in pairs.items()
            if brought.by_step[segment][telling].max(initial=0.0) < _LEAST_SAID
        }
        asked = next((word for word in question.lower().split() if word in _WH), None)
        names = len({start.text for start in language.starts})
        return [
            _TRUST
            * (
                brought.measure([pairs[step] for step in reading.steps])
                + self._weigh_steps(reading.steps, asked)
                + _UNUSED * (names - reading.walks)
                + _UNSAID * sum(step in unsaid for step in reading.steps)
            )
            for reading in readings
        ]

    def _weigh_steps(self, steps: Sequence[Step], asked: str | None) -> float:
        """The log-weight of steps, whatever words they bring."""
        weight = _STEP * len(steps)
        weight += _RETURN * sum(a.turn() == b for a, b in pairwise(steps))
        wh = self.book.phrases_of(steps[-1]).wh if steps and asked else None
        if wh in _WH:
            weight += _ASKED if wh == asked else _NOT_ASKED
        return weight

    def _list_words(self, step: Step) -> dict[str, float]:
        if step not in self._known:
            self._known[step] = list_step_words(step, self.book)
        return self._known[step]


def _continue(language: Walks, reading: _Reading) -> Iterator[_Reading]:
    """All readings that say one move more."""
    moves = language.moves(reading.state)
    excluded = language.list_excluded_moves(reading.state)
    for move in range(len(moves)):
        state = None if move in excluded else language.follow(reading.state, move)
        if state is None:
            continue
        [query] = language.values(state)
        steps = tuple(step for path in query.paths for step in path.steps)
        yield _Reading(state, steps, len(query.paths))


def _build_sentences(
    language: Walks, found: Sequence[tuple[float, _Reading]], width: int
) -> list[Sentence]:
    """The likeliest readings as sentences; their probabilities are those among all that were
    read."""
    if not found:
        return []
    total = float(np.logaddexp.reduce([score for score, _ in found]))
    best = sorted(found, key=lambda pair: -pair[0])[:width]
    return [
        Sentence(
            language.text(reading.state),
            (),
            language.values(reading.state),
            score - total,
            len(reading.steps),
        )
        for score, reading in best
    ]
