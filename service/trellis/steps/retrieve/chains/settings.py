"""What a model card says of task `chain`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from trellis.automata.chains.language import ChainOptions
from trellis.domain.graphs.graph import Revisit
from trellis.domain.models.card import Rendering, TaskSettings


@dataclass(frozen=True, slots=True)
class ChainSettings(TaskSettings):
    """Which chains the model was trained to write.

    `rendering`: whether triples name their nodes (`full`), or nodes stay sets. `most_triples`: the
    budget of a chain; how many it takes is the model's choice. `thought_tokens`: the most tokens of
    free words between two triples; 0: none. `ahead`: the hops that are read before the first
    triple. `shown_tokens`: about how many tokens of triples the prompt shows; 0: none. `wording`:
    lower-case words that questions over this graph use, rather than names. `words`: how often each
    step, as it is said in a sentence, brings which word (`weigh_sentences`). `general_words`,
    `prefers_simple`: as of `PathSettings`.
    """

    task: ClassVar[str] = "chain"

    rendering: Rendering = "relations"
    most_triples: int = 6
    revisit: Revisit = "simple"
    thought_tokens: int = 0
    ahead: int = 1
    shown_tokens: int = 0
    wording: tuple[str, ...] = ()
    words: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    general_words: bool = False
    prefers_simple: bool = False

    @property
    def options(self) -> ChainOptions:
        """The options of the language of chains."""
        return ChainOptions(self.rendering, self.most_triples, self.revisit, self.thought_tokens)
