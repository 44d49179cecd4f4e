"""What a model card says of task `pattern`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from trellis.domain.graphs.graph import Revisit
from trellis.domain.models.card import TaskSettings

WordSource = Literal["names", "spans", "both", "free", "none"]
"""What is said in a place of a pattern: the graph's names, spans of the question, either of them,
any words, or nothing at all."""


@dataclass(frozen=True, slots=True)
class PatternSettings(TaskSettings):
    """Which patterns the model was trained to write.

    `most_triples`: the most triples of a pattern. `relations`, `kinds`: what these are said in.
    `span_words`: the most words of a span. `free_tokens`: the most tokens of any words. `revisit`:
    which nodes of a pattern may be the same node of the graph. `needs_mention`: whether each
    pattern holds a mention. `wording`: lower-case words that questions over this graph use, rather
    than names. `words`: how often each relation, as it is said in a sentence, brings which word
    (`weigh_sentences`). `claim_words`, `claim_wording`: the same of claims, by the parts of their
    forms (`steps/claims`). `general_words`: whether words and wording are those of the general
    lexicon for the live schema, as of a model that belongs to no graph.
    """

    task: ClassVar[str] = "pattern"

    most_triples: int = 3
    relations: WordSource = "names"
    kinds: WordSource = "none"
    span_words: int = 4
    free_tokens: int = 8
    revisit: Revisit = "simple"
    needs_mention: bool = True
    wording: tuple[str, ...] = ()
    words: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    claim_words: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    claim_wording: tuple[str, ...] = ()
    general_words: bool = False
