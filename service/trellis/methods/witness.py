"""The path witness of methods that write something else than paths, where a model writes paths."""

from __future__ import annotations

from trellis.domain.models.decoding import Search
from trellis.methods.registry import PipelineParts, Task
from trellis.pipelines.path_witness import PathWitness
from trellis.steps.retrieve.paths.settings import PathSettings

WITNESS_TASK = Task(PathSettings)
"""The task whose model says whether the graph has what a question asks for at all."""


def build_witness(parts: PipelineParts) -> PathWitness | None:
    """The witness of a method; None where no model does the task."""
    if PathSettings.task not in parts.models:
        return None
    return PathWitness(
        parts.graph,
        parts.models[PathSettings.task],
        parts.settings_of(PathSettings),
        parts.embedder,
        build_path_search(parts),
        parts.settings.edge_budget,
    )


def build_path_search(parts: PipelineParts) -> Search:
    """How paths are searched for, whoever asks."""
    settings = parts.settings
    return Search(
        width=settings.width, max_tokens=parts.budget.tokens, diversity=settings.diversity
    )
