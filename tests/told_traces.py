"""A model of tasks `assertion` and `schema_graph` that is told what to write, and a guide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.automata.reader import Reader, SentenceReading
from trellis.domain.graphs.graph import Neighbourhood
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.guidance import GuidanceQuery
from trellis.domain.models.prompt import Prompt
from trellis.steps.retrieve.schema_graphs.settings import (
    AssertionSettings,
    GuidanceSettings,
    SchemaGraphSettings,
)


class ToldTraces:
    """A LanguageModel that writes given sentences, those that a language has.

    The first that a language has is written with the probability `sure`, each other one with half
    of that before it.
    """

    def __init__(
        self, *sentences: str, schema_graphs: SchemaGraphSettings | None = None, sure: float = 0.6
    ) -> None:
        assertions = AssertionSettings(words="free")
        self.card = ModelCard.of("told", assertions, schema_graphs or SchemaGraphSettings())
        self._sentences = sentences
        self._sure = sure
        self.prompts: list[Prompt] = []

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        self.prompts += prompts
        return [self._write(language)[: search.width] for language in languages]

    def _write(self, language: Any) -> list[Sentence]:
        readings = [(text, Reader(language).read_text(text)) for text in self._sentences]
        found = [(t, read) for t, read in readings if isinstance(read, SentenceReading)]
        return [
            Sentence(f" {text}", (), read.values, math.log(self._sure / 2**number), 1)
            for number, (text, read) in enumerate(found)
        ]


class ToldGuide:
    """A GuidanceModel that finds given nodes likely, by their ids."""

    def __init__(self, likely: Sequence[str], **settings: Any) -> None:
        known = {
            "hops": 2,
            "width": 1,
            "layers": 1,
            "dimensions": 64,
            "fingerprint": "",
            "threshold": 0.9,
        }
        self.card = ModelCard.of("told", GuidanceSettings(**{**known, **settings}))
        self._likely = likely
        self.queries: list[GuidanceQuery] = []

    async def score_entities(
        self,
        around: Neighbourhood,
        relations: NDArray[np.float32],
        queries: Sequence[GuidanceQuery],
    ) -> NDArray[np.float32]:
        assert relations.shape[0] == len(around.relation_types)
        self.queries += queries
        row = [float(id in self._likely) for id in around.nodes]
        return np.array([row for _ in queries], np.float32)
