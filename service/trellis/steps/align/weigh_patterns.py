"""Weigh patterns: by how likely their relations bring the words of the question, too."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.segments import step_text
from trellis.domain.decoding import Sentence
from trellis.domain.graph import Step
from trellis.domain.ports import Embedder
from trellis.domain.question_patterns import QuestionPattern
from trellis.steps.align.weigh_sentences import SaidStep, WordTable, weigh_sentences


async def weigh_patterns(
    sentences: Sequence[Sentence],
    masked: str,
    table: WordTable,
    embedder: Embedder | None = None,
) -> Sequence[Sentence]:
    """The sentences, most probable first, by what the model says and by the question's likelihood.

    `masked`: the question with its mentions masked.
    """
    steps = [_list_steps(get_pattern(sentence)) for sentence in sentences]
    return await weigh_sentences(sentences, steps, masked, table, embedder)


def get_pattern(sentence: Sentence) -> QuestionPattern:
    """The pattern that a sentence says."""
    [pattern, *_] = sentence.values
    assert isinstance(pattern, QuestionPattern)
    return pattern


def _list_steps(pattern: QuestionPattern) -> tuple[SaidStep, ...]:
    """The triples of a pattern as they are said, with their relations."""
    steps, at = [], 0
    for triple in pattern.triples:
        if at not in (triple.head, triple.tail):
            at = min(triple.head, triple.tail)
        is_reversed = triple.tail == at
        steps.append((step_text(Step(triple.relation, is_reversed)), triple.relation))
        at = triple.head if is_reversed else triple.tail
    return tuple(steps)
