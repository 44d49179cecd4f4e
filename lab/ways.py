"""Opens an app that answers in one of an experiment's ways."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from lab.plan import ROOT, Suite, Way, find_path
from lab.unmasked import UnmaskedModel
from trellis.app.trellis_app import TrellisApp
from trellis.cli.operation.children import run_command
from trellis.domain.errors import FileFormatError, InputError
from trellis.domain.ports import LanguageModel
from trellis.engines.local import LocalModel
from trellis.evaluation.suite import read_suite
from trellis.methods.registry import Method, Pipeline, PipelineParts
from trellis.models.finding import find_model_folder
from trellis.models.folder import CARD, read_card, write_folder
from trellis.settings import Settings
from trellis.wiring.assemble import assemble_app


@dataclass
class OpenedWay:
    """An app that answers in a way, and the models in it that write without masks."""

    trellis_app: TrellisApp
    unmasked: list[UnmaskedModel] = field(default_factory=list)


def train_model(way: Way, suite: Suite, uri: str, folder: Path) -> Way:
    """The way with a model that `trellis train` makes in `folder` of the suite's training
    questions, or of the graph alone, beside the way's own model if it has one; the same way where
    it trains none. Ways that train alike share what is trained in a folder.

    Raises ServiceError where training fails.
    """
    if not way.train:
        return way
    told = "\n".join((*way.train, str(way.answers_alone)))
    target = folder / sha256(told.encode()).hexdigest()[:12]
    if not target.exists():
        questions = list_training_options(way, suite, folder)
        environment = {**os.environ, "TRELLIS_NEO4J_URI": uri}
        run_command(["train", "--out", str(target), *questions, *way.train], environment, folder)
    return way.model_copy(update={"model": ",".join(filter(None, (way.model, str(target))))})


def list_training_options(way: Way, suite: Suite, folder: Path) -> list[str]:
    """The options of `trellis train` that say what the suite's way trains on."""
    if suite.training is None:
        return []
    path = find_path(suite.training)
    if way.answers_alone:
        rows = [
            {"id": row.id, "question": row.question, "answers": row.answers}
            for row in read_suite(path, None, None)
        ]
        path = folder / "answers.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return ["--questions", str(path)]


@asynccontextmanager
async def open_way(way: Way, uri: str, folder: Path) -> AsyncIterator[OpenedWay]:
    """The app of a way; `folder` gets its store and its changed model.

    Raises FileFormatError where the way changes what is not there.
    """
    settings = build_settings(way, uri, folder)
    async with assemble_app(settings, _choose_model(way, settings, folder)) as trellis_app:
        await trellis_app.prepare_store()
        opened = OpenedWay(trellis_app)
        methods = {
            name: _change_method(method, way, opened)
            for name, method in trellis_app.methods.items()
        }
        opened.trellis_app = replace(trellis_app, methods=methods)
        yield opened


def build_settings(way: Way, uri: str, folder: Path) -> Settings:
    """The settings of a way: each question is read from the graph anew."""
    if unknown := sorted(way.settings.keys() - Settings.model_fields.keys()):
        raise FileFormatError(
            f"way {way.name!r}: there is no setting {unknown[0]!r}", "see docs/settings.md"
        )
    kept = {"store_url": f"sqlite+aiosqlite:///{folder}/answers.db", "trie_cache": 0}
    return Settings(**{"neo4j_uri": uri, **kept, **way.settings})


def _choose_model(way: Way, settings: Settings, folder: Path) -> str | None:
    """The way's model: a folder of the repository or a name; where its card is changed, a copy."""
    if way.model is None:
        if way.card:
            raise FileFormatError(f"way {way.name!r} changes a card", "name its model")
        return None
    named = ROOT / way.model if (ROOT / way.model).is_dir() else Path(way.model)
    return str(_change_card(way, named, settings, folder) if way.card else named)


def _change_card(way: Way, named: Path, settings: Settings, folder: Path) -> Path:
    """A copy of a model's folder whose card has other settings of its tasks."""
    found = find_model_folder(named, settings.cache)
    card = read_card(found)
    for task, changes in way.card.items():
        if unknown := sorted(changes.keys() - card.tasks.get(task, {}).keys()):
            raise FileFormatError(
                f"way {way.name!r}: task {task!r} of {named} has no {unknown[0]!r}",
                f"its card has {', '.join(card.tasks.get(task, {})) or 'no such task'}",
            )
    tasks = {task: {**each, **way.card.get(task, {})} for task, each in card.tasks.items()}

    def copy_files(target: Path) -> None:
        for path in found.iterdir():
            if path.is_file() and path.name != CARD:
                shutil.copy(path, target)

    write_folder(folder / "model", replace(card, tasks=tasks), copy_files)
    return folder / "model"


def _change_method(method: Method, way: Way, opened: OpenedWay) -> Method:
    """The method, its pipeline built with other fields and, where wanted, models without masks."""

    def build_pipeline(parts: PipelineParts) -> Pipeline:
        if way.unmasked:
            models = {task: _unmask(model, opened) for task, model in parts.models.items()}
            parts = replace(parts, models=models)
        built: Any = method.build_pipeline(parts)
        try:
            return replace(built, **way.pipeline)  # type: ignore[no-any-return]
        except TypeError as error:
            raise FileFormatError(
                f"way {way.name!r}: {error}", f"see the fields of {type(built).__name__}"
            ) from error

    return replace(method, build_pipeline=build_pipeline)


def _unmask(model: LanguageModel, opened: OpenedWay) -> LanguageModel:
    if not isinstance(model, LocalModel):
        raise InputError(
            f"{type(model).__name__} cannot write without masks", "name a model that was trained"
        )
    opened.unmasked.append(UnmaskedModel(model))
    return opened.unmasked[-1]
