"""Passed names: a path from an ordinary word of a question that passes over what it names.

`I don't want to read subtitles: what language is The Cuckoo in?` asks of The Cuckoo, though
`subtitles` is in the graph too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trellis.domain.decoding import Sentence
from trellis.domain.graph import PathQuery
from trellis.domain.links import Mention
from trellis.domain.reply import Finding
from trellis.steps.align.answer_types.asked_kind import reweigh_findings

_PASSED_OVER = 0.05
"""Factor on the probability of a path from words without capitals or digits only, where others
that are linked have them."""


def doubt_passed_names(
    sentences: Sequence[Sentence], findings: Sequence[Finding], mentions: Sequence[Mention]
) -> tuple[list[Sentence], tuple[Finding, ...]]:
    """The sentences and their findings, most probable first: where a question names something, a
    path that starts from none of its names loses most of its probability."""
    named = {at for at, mention in enumerate(mentions) if _is_name(mention.text)}
    weights = [
        _PASSED_OVER if named and _starts_elsewhere(sentence, named) else 1.0
        for sentence in sentences
    ]
    return reweigh_findings(sentences, findings, weights)


def _is_name(text: str) -> bool:
    return any(letter.isupper() or letter.isdigit() for letter in text)


def _starts_elsewhere(sentence: Sentence, named: Collection[int]) -> bool:
    """Whether all paths of a sentence start from other mentions than those."""
    [query, *_] = sentence.values
    return isinstance(query, PathQuery) and all(path.mention not in named for path in query.paths)
