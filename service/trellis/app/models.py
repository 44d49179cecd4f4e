"""The models of an app, by the tasks that they do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trellis.app.once import LazyPart
from trellis.domain.errors import ModelMemoryError, WrongTaskError
from trellis.domain.models.card import ModelCard
from trellis.domain.ports import GuidanceModel, LanguageModel

_MIB = 2**20


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model that can be loaded.

    `name` is for people; `folder`: of a model that is one; `is_hosted`: each question costs the
    user a hosted model's work. `find_detail`: what is known of it by now, for people. `card` says
    which tasks the model does, and is read without its weights. `guide`: the guidance model of a
    folder that has one; None where the source cannot have any. `fits_graph`: whether the model is
    for the graph as it is now; None: it is for any, or was set by the user, who knows.
    """

    name: str
    card: LazyPart[ModelCard]
    model: LazyPart[LanguageModel]
    folder: Path | None = None
    is_hosted: bool = False
    guide: LazyPart[GuidanceModel] | None = None
    find_detail: Callable[[], str] | None = None
    fits_graph: Callable[[], Awaitable[bool]] | None = None

    @property
    def full_name(self) -> str:
        """The name with what is known of the model by now."""
        detail = self.find_detail() if self.find_detail else ""
        return f"{self.name} ({detail})" if detail else self.name


class ModelSet:
    """The models of an app. Where several that fit the graph do a task, the first one does it."""

    def __init__(self, sources: Sequence[ModelSource], memory: ModelMemory | None = None) -> None:
        self.sources = tuple(sources)
        self.memory = memory or ModelMemory()

    @property
    def loaded_models(self) -> list[LanguageModel]:
        """The models that are loaded already."""
        models = (source.model.loaded for source in self.sources)
        return [model for model in models if model is not None]

    async def list_fitting(self) -> list[ModelSource]:
        """The sources whose models are for the graph as it is now."""
        return [it for it in self.sources if it.fits_graph is None or await it.fits_graph()]

    async def find_source(self, task: str, *, is_guide: bool = False) -> ModelSource | None:
        """The first source that does a task; None where there is none. `is_guide`: by its guidance
        model.

        Raises the error of reading a card, where no earlier source does the task: the source of
        that card might do it.
        """
        for source in await self.list_fitting():
            if is_guide and source.guide is None:
                continue
            if task in (await source.card.get()).tasks:
                return source
        return None

    async def require_source(self, task: str) -> ModelSource:
        """As `find_source`; WrongTaskError where there is none."""
        source = await self.find_source(task)
        if source is None:
            there = [
                f"{source.name} does {' and '.join(map(repr, (await source.card.get()).tasks))}"
                for source in await self.list_fitting()
            ]
            raise WrongTaskError(
                f"no model does task {task!r}: {', '.join(there) or 'there is none'}",
                f"train one with `trellis train --task {task}`, and name its folder "
                "in TRELLIS_MODEL",
            )
        return source


class ModelMemory:
    """Counts the bytes of loaded weights, up to `most` (0: without bound)."""

    def __init__(self, most: int = 0) -> None:
        self._most = most
        self.used = 0

    def claim(self, name: str, weight_bytes: int) -> None:
        """Count a model's weights; ModelMemoryError where they would be too much."""
        if self._most and self.used + weight_bytes > self._most:
            raise ModelMemoryError(
                f"the weights of {name} take {weight_bytes / _MIB:.1f} MiB beside "
                f"{self.used / _MIB:.1f} MiB of other models, and "
                f"{self._most / _MIB:.1f} MiB are allowed",
                "raise TRELLIS_MODEL_MEMORY, or name fewer or smaller models",
            )
        self.used += weight_bytes
