"""The models of an app: where each is, and how it is loaded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from trellis.app.garbage import spare_what_lasts
from trellis.app.graph_fit import GraphFit
from trellis.app.models import ModelMemory, ModelSet, ModelSource
from trellis.app.once import LazyPart
from trellis.domain.models.card import ModelCard, TaskSettings
from trellis.domain.ports import (
    Graph,
    GuidanceModel,
    LanguageModel,
)
from trellis.engines.chats.hosted import HostedModel
from trellis.engines.workers.worker import WorkerModel
from trellis.graph.database.connection import GraphConnection
from trellis.methods import METHODS
from trellis.methods.registry import list_hosted_tasks
from trellis.models.finding import find_model_folder
from trellis.models.folder_list import split_folders
from trellis.models.general import read_any_card
from trellis.models.reader.folder import READER, is_reader
from trellis.settings import BUNDLED_MODEL, Settings
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.wiring.general_models import GeneralModels
from trellis.wiring.hosted_chats import build_decoder_client, build_decoder_completions


@asynccontextmanager
async def open_models(
    settings: Settings,
    folders: str | None,
    connection: GraphConnection,
    graph: Graph,
    general: GeneralModels,
) -> AsyncIterator[ModelSet]:
    """The models: those of the given folders; else those of the settings.

    The settings' order is: decoding workers, folders, a hosted model for what these do not do;
    where none of these is set, the bundled model on its own graph, and the reader on any other.
    """
    async with AsyncExitStack() as stack:
        memory = ModelMemory(settings.model_memory * 2**20)
        if folders is not None:
            named = split_folders(folders)
            sources = _build_folder_sources(named, settings, memory, general)
        else:
            sources = [
                *(
                    _build_worker_source(urls, settings, stack, general)
                    for urls in settings.worker_groups
                ),
                *_build_folder_sources(settings.model_folders, settings, memory, general),
                *_build_default_sources(settings, connection, graph, memory, general),
                *_build_hosted_sources(settings, stack, general),
            ]
        yield ModelSet(sources, memory)


def _build_default_sources(
    settings: Settings,
    connection: GraphConnection,
    graph: Graph,
    memory: ModelMemory,
    general: GeneralModels,
) -> list[ModelSource]:
    """Where no model is set: the bundled one while the graph is the one that it was trained for,
    and the reader for any other graph."""
    if settings.is_model_set:
        return []
    bundled = _build_folder_source(BUNDLED_MODEL, settings, memory, general)
    fit = GraphFit(bundled.card, connection.verify_connectivity, graph.schema)
    reader = _build_folder_source(Path(READER), settings, memory, general)
    return [replace(bundled, fits_graph=fit.check), reader]


def _build_folder_sources(
    folders: Sequence[Path],
    settings: Settings,
    memory: ModelMemory,
    general: GeneralModels,
) -> list[ModelSource]:
    return [_build_folder_source(folder, settings, memory, general) for folder in folders]


def _build_folder_source(
    folder: Path, settings: Settings, memory: ModelMemory, general: GeneralModels
) -> ModelSource:
    """The model of a folder; also of an id of the hub, or of a name."""

    def read_whole_card() -> ModelCard:
        return general.complete_card(read_any_card(folder, settings.cache))

    def load_model() -> LanguageModel:
        if is_reader(found := find_model_folder(folder, settings.cache)):
            return _load_reader(found, memory)
        return general.wrap_model(_load_local(folder, settings, memory))

    card = LazyPart(partial(asyncio.to_thread, read_whole_card))
    model = LazyPart(partial(asyncio.to_thread, load_model))
    name = "the bundled model" if folder == BUNDLED_MODEL else str(folder)
    guide = LazyPart(partial(asyncio.to_thread, _load_guide, folder, memory))
    return ModelSource(name, card, model, folder, guide=guide)


def _load_local(folder: Path, settings: Settings, memory: ModelMemory) -> LanguageModel:
    from trellis.engines.local import LocalModel  # imported here, because torch takes seconds

    model = LocalModel.load(folder, settings.device, settings.cache)
    memory.claim(str(folder), model.count_bytes())
    spare_what_lasts()
    return model


def _load_reader(folder: Path, memory: ModelMemory) -> LanguageModel:
    from trellis.engines.reader import ReaderModel  # imported here, because torch takes seconds

    reader = ReaderModel.load(folder)
    memory.claim(str(folder), reader.count_bytes())
    return reader


def _load_guide(folder: Path, memory: ModelMemory) -> GuidanceModel:
    from trellis.engines.guidance import LocalGuidance  # imported here, because torch takes seconds

    guide = LocalGuidance.load(folder)
    memory.claim(str(folder), guide.count_bytes())
    return guide


def _build_worker_source(
    urls: str, settings: Settings, stack: AsyncExitStack, general: GeneralModels
) -> ModelSource:
    """The model that some workers serve; its card is read from them when they are connected."""

    async def connect_workers() -> LanguageModel:
        key = settings.worker_key.get_secret_value()
        worker = await WorkerModel.connect(urls, key, settings.worker_timeout)
        stack.push_async_callback(worker.close)
        return general.wrap_model(worker)

    model = LazyPart(connect_workers)

    async def read_served_card() -> ModelCard:
        return (await model.get()).card

    return ModelSource(f"workers at {urls}", LazyPart(read_served_card), model)


def _build_hosted_sources(
    settings: Settings, stack: AsyncExitStack, general: GeneralModels
) -> list[ModelSource]:
    """A hosted chat model, where one is set: it does every task that has a chat format."""
    if not settings.decoder_url:
        return []
    client = build_decoder_client(settings)
    stack.push_async_callback(client.close)
    hosted = list_hosted_tasks(METHODS.values())
    wanted = (_say_ordinary_cypher(task.build_settings(settings)) for task in hosted.values())
    card = replace(ModelCard.of(settings.decoder_model, *wanted), is_general=True)
    formats = {name: task.chat_format for name, task in hosted.items()}
    model = HostedModel(
        build_decoder_completions(client, settings),
        card,
        formats,
        samples=settings.decoder_samples,
        fixed_means=None if settings.decoder_means == "auto" else settings.decoder_means,
    )

    async def get_card() -> ModelCard:
        return card

    async def get_model() -> LanguageModel:
        return general.wrap_hosted(model)

    def find_detail() -> str:
        return f"kept inside by: {model.known_means}" if model.known_means else ""

    name = f"{settings.decoder_model or 'the model'} at {settings.decoder_url}"
    return [
        ModelSource(
            name, LazyPart(get_card), LazyPart(get_model), is_hosted=True, find_detail=find_detail
        )
    ]


def _say_ordinary_cypher(settings: TaskSettings) -> TaskSettings:
    """The settings of a task for a hosted model, which writes queries as it has learnt to."""
    if not isinstance(settings, CypherSettings):
        return settings
    return replace(settings, rendering="cypher")
