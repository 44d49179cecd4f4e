"""Greedy decoding and sampling inside languages: one row a sentence, no going back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from trellis.automata.vocabulary import Tokens
from trellis.decoding.cursor import END, Automaton, Cursor, log_probabilities, opened
from trellis.decoding.scorer import Logits, Scorer
from trellis.domain.ports import Search, Sentence

Pick = Callable[[NDArray[np.float64]], int]
"""Chooses one of some log-probabilities."""


def rollout(
    scorer: Scorer, prompts: Sequence[Tokens], automata: Sequence[Automaton], search: Search
) -> list[list[Sentence]]:
    """For each prompt one greedy sentence, or the distinct ones of `search.width` samples."""
    copies = 1 if search.mode == "greedy" else search.width
    pick = _picker(search)
    cursors = [opened(automaton, search.max_tokens) for automaton in automata]
    found: list[list[Sentence]] = [[] for _ in prompts]
    live = [(i, c) for i, c in enumerate(cursors) if c is not None for _ in range(copies)]
    if not live:
        return found
    logits = scorer.begin([prompts[i] + cursor.tokens for i, cursor in live])
    while live:
        parents, going, fresh = [], [], []
        for row, (i, cursor) in enumerate(live):
            after = _said(cursor, logits[row], pick, search.temperature)
            if isinstance(after, Sentence):
                found[i].append(after)
            else:
                parents.append(row)
                going.append((i, after))
                fresh.append(after.tokens[len(cursor.tokens) :])
        live = going
        if live:
            logits = scorer.extend(parents, fresh)
    return [_distinct(sentences) for sentences in found]


def _picker(search: Search) -> Pick:
    if search.mode == "greedy":
        return lambda gains: int(np.argmax(gains))
    random = np.random.default_rng(search.seed)
    return lambda gains: int(random.choice(len(gains), p=np.exp(gains)))


def _said(cursor: Cursor, logits: Logits, pick: Pick, temperature: float) -> Cursor | Sentence:
    """The cursor after one more choice, or the sentence if that choice was to end."""
    options = cursor.options()
    gains = log_probabilities(cursor, options, logits, temperature)
    at = pick(gains)
    score, choice = cursor.score + float(gains[at]), len(options) > 1
    if options[at] == END:
        return cursor.finished(score, choice)
    after = cursor.said(int(options[at]), score, choice)
    return after.finished(score, False) if after.ended else after


def _distinct(sentences: Sequence[Sentence]) -> list[Sentence]:
    best = {sentence.tokens: sentence for sentence in sentences}
    return sorted(best.values(), key=lambda sentence: -sentence.score)
