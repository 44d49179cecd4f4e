"""Schema graphs by the words of their assertions.

The reader says assertions in the words of the live graph's relations (`told_walks`). So a schema
graph is the relations that have these words: whoever has them, and leads from what stands before
the words to what stands behind them. Where the labels of the nodes forbid that, others follow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellis.automata.paths.segments import step_text
from trellis.automata.schema_graphs.language import SchemaGraphLanguage, SchemaGraphState
from trellis.decoding.move_search import ScoredMoves
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.structures.decompositions import name_entity
from trellis.models.reader.moves import END_MOVE, ReaderMove, read_walk_move

_SAME_WORDS, _SAME_WAY = 8.0, 4.0  # logits
_NODE = ReaderMove(0, 0, "node")  # the other entity, which an assertion settles


class AssertionWordScorer:
    """Scores the moves of schema graphs by the text of their assertions; a `MoveScorer`."""

    end = END_MOVE
    weighs_forced = False

    def __init__(self, language: SchemaGraphLanguage, text: str) -> None:
        self._language = language
        self._asserted = _split_assertions(language, text)
        kinds = language.kinds
        words = [" ".join(relation_words(name)) for name in kinds.types]
        self._options = [
            read_walk_move(step_text(Step(words[kind], back))) for kind, back in kinds.options
        ]

    def list_moves(self, state: SchemaGraphState) -> Sequence[ReaderMove]:
        count = len(self._language.moves(state))
        return [_NODE] * count if state.is_open else self._options[:count]

    def score_moves(
        self, said: Sequence[Sequence[ReaderMove]], offered: Sequence[Sequence[ReaderMove]]
    ) -> list[ScoredMoves]:
        """As of `MoveScorer`: an assertion's relation and its other entity are two moves."""
        return [
            self._score(self._asserted[len(before) // 2], moves)
            for before, moves in zip(said, offered, strict=True)
        ]

    def _score(self, words: str, moves: Sequence[ReaderMove]) -> ScoredMoves:
        logits = np.array(
            [_SAME_WORDS * (it.words == words) + _SAME_WAY * (it.direction == 1) for it in moves]
        )
        return ScoredMoves(logits, float(np.logaddexp.reduce(logits)))


def _split_assertions(language: SchemaGraphLanguage, text: str) -> list[str]:
    """The words of each assertion of a text."""
    parts = text.split(" ; ")
    ends = [[name_entity(end, language.mentions) for end in pair] for pair in language.pairs]
    return [
        part.strip().removeprefix(subject).removesuffix(other).strip().lower()
        for part, (subject, other) in zip(parts, ends, strict=True)
    ]
