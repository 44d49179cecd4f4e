"""Serving adapters of one base side by side: one set of weights, and several models on top of
it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from trellis.domain.errors import InputError
from trellis.domain.models.card import ModelCard
from trellis.models.finding import find_model_folder
from trellis.models.folder import read_card, read_vocabulary
from trellis.models.general import derive_card, is_general
from trellis.models.reader.folder import is_reader
from trellis.models.safe_loading import refuse_pickles
from trellis.models.weights import ADAPTER_CONFIG


@dataclass(frozen=True, slots=True)
class ServedModel:
    """What an engine serves: the weights in `folder`, with the tokenizer in the folder `tokenizer`.

    `card`: joined from all that is served. `adapters`: the folder of each adapter by its name;
    empty where whole weights are served. `by_task`: the name of the adapter that does a task.
    `rank`: the largest rank of an adapter. `name`: by which clients know it.
    """

    folder: Path
    tokenizer: Path
    card: ModelCard
    adapters: dict[str, Path]
    by_task: dict[str, str]
    rank: int = 0
    name: str = ""


def plan_serving(folders: Sequence[Path], cache: Path) -> ServedModel:
    """Plan how one engine serves some models: folders, ids of the hub, or names.

    Adapters are served as they are, over the weights of their base: nothing is merged. Several
    models have to be adapters of one base. Raises InputError where they are not, or one is a
    reader, and as `read_any_card` and `find_model_folder` do.
    """
    if any(is_reader(find_model_folder(folder, cache)) for folder in folders):
        raise InputError(
            "a worker serves models that write tokens, and a reader writes none",
            "name it where questions are answered, as --model or TRELLIS_MODEL: it needs no GPU",
        )
    if len(folders) == 1 and not (folders[0] / ADAPTER_CONFIG).is_file():
        return _plan_whole(folders[0], cache)
    cards = [read_card(folder) for folder in folders]
    _check_folders(folders, cards)
    for folder in folders:
        refuse_pickles(folder)
    read_vocabulary(folders[0], cards[0])
    names = _name_folders(folders)
    by_task: dict[str, str] = {}
    for name, card in zip(names, cards, strict=True):
        for task in card.tasks:
            by_task.setdefault(task, name)
    return ServedModel(
        folder=find_model_folder(cards[0].base, cache),
        tokenizer=folders[0],
        card=reduce(ModelCard.join_cards, cards),
        adapters=dict(zip(names, folders, strict=True)),
        by_task=by_task,
        rank=max(map(_read_rank, folders)),
    )


def _plan_whole(model: Path, cache: Path) -> ServedModel:
    folder = find_model_folder(model, cache)
    if is_general(folder):
        refuse_pickles(folder)
        return ServedModel(folder, folder, derive_card(folder, str(model)), {}, {}, name=str(model))
    card = read_card(folder)
    refuse_pickles(folder)
    return ServedModel(folder, folder, card, {}, {})


def _check_folders(folders: Sequence[Path], cards: Sequence[ModelCard]) -> None:
    remedy = "start a worker for each, and name them in TRELLIS_WORKER_URL with `;` between"
    for folder, card in zip(folders, cards, strict=True):
        if not (folder / ADAPTER_CONFIG).is_file():
            raise InputError(
                f"{folder} is no adapter, so no other model can be served beside it", remedy
            )
        if (card.base, card.vocabulary) != (cards[0].base, cards[0].vocabulary):
            raise InputError(
                f"{folder} is an adapter of {card.base}, {folders[0]} of {cards[0].base}: one "
                "worker serves adapters of one base",
                remedy,
            )


def _name_folders(folders: Sequence[Path]) -> list[str]:
    """A name for each adapter: that of its folder, numbered where two folders share it."""
    names: list[str] = []
    for folder in folders:
        number = names.count(folder.name) + 1
        names.append(folder.name if number == 1 else f"{folder.name}-{number}")
    return names


def _read_rank(folder: Path) -> int:
    return int(json.loads((folder / ADAPTER_CONFIG).read_text("utf-8"))["r"])
