"""The guidance engine: a graph network of a model folder, run on this machine's processor."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file

from trellis.domain.errors import ModelDamagedError
from trellis.domain.graphs.graph import Neighbourhood
from trellis.domain.models.card import ModelCard
from trellis.domain.models.guidance import GuidanceQuery
from trellis.models.folder import read_card
from trellis.models.guidance_network import EntityGraph, TripleGnn
from trellis.steps.retrieve.schema_graphs.settings import GuidanceSettings

GUIDANCE_WEIGHTS = "guidance.safetensors"
"""The file of a model folder that holds the network's weights."""


class LocalGuidance:
    """A GuidanceModel; scores one question at a time."""

    def __init__(self, network: TripleGnn, card: ModelCard) -> None:
        self._network = network.eval()
        self._card = card
        self._turn = threading.Lock()

    @classmethod
    def load(cls, folder: Path) -> LocalGuidance:
        """The network of a trained folder. Raises ModelMissingError, ModelDamagedError or
        WrongTaskError."""
        card = read_card(folder)
        settings = card.settings(GuidanceSettings)
        network = TripleGnn(settings.dimensions, settings.width, settings.layers)
        try:
            network.load_state_dict(load_file(folder / GUIDANCE_WEIGHTS))
        except (OSError, RuntimeError) as error:
            raise ModelDamagedError(
                f"the weights in {folder / GUIDANCE_WEIGHTS} do not fit the card",
                "train the model again with `trellis train --task guidance`",
            ) from error
        return cls(network, card)

    @property
    def card(self) -> ModelCard:
        return self._card

    def count_bytes(self) -> int:
        """The bytes of its weights."""
        return sum(each.numel() * each.element_size() for each in self._network.parameters())

    async def score_entities(
        self,
        around: Neighbourhood,
        relations: NDArray[np.float32],
        queries: Sequence[GuidanceQuery],
    ) -> NDArray[np.float32]:
        return await asyncio.to_thread(self.score_now, around, relations, queries)

    def score_now(
        self,
        around: Neighbourhood,
        relations: NDArray[np.float32],
        queries: Sequence[GuidanceQuery],
    ) -> NDArray[np.float32]:
        """As `score_entities`, in this thread."""
        with self._turn, torch.inference_mode():
            graph, known = EntityGraph.of(around), torch.from_numpy(relations)
            rows = [
                self._network(
                    graph,
                    known,
                    torch.from_numpy(query.triples),
                    torch.tensor(query.anchors, dtype=torch.long),
                ).sigmoid()
                for query in queries
            ]
        scores: NDArray[np.float32] = torch.stack(rows).numpy()
        return scores
