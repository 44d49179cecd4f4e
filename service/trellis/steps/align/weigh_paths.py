"""Weigh paths: by how likely their relations bring the words of the question, too."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.segments import step_text
from trellis.domain.decoding import Sentence
from trellis.domain.graph import PathQuery
from trellis.domain.ports import Embedder
from trellis.steps.align.weigh_sentences import SaidStep, WordTable, weigh_sentences


async def weigh_paths(
    sentences: Sequence[Sentence],
    masked: str,
    table: WordTable,
    embedder: Embedder | None = None,
) -> Sequence[Sentence]:
    """The sentences, most probable first, by what the model says and by the question's likelihood.

    `masked`: the question with its mentions masked.
    """
    return await weigh_sentences(
        sentences, list(map(list_said_steps, sentences)), masked, table, embedder
    )


def list_said_steps(sentence: Sentence) -> tuple[SaidStep, ...]:
    """The steps of a sentence's paths, as segments with their relations."""
    [query, *_] = sentence.values
    assert isinstance(query, PathQuery)
    return tuple((step_text(s), s.relation) for path in query.paths for s in path.steps)
