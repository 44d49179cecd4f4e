"""Where a model's calibrations are kept: in its card, or in the store for a model without one of
its own: hosted ones, those of workers, and general ones, whose folder is not ours to write into.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cache

from trellis.app.models import ModelSource
from trellis.domain.errors import StoreError
from trellis.domain.models.card import Calibration, ModelCard
from trellis.logs import log
from trellis.models.folder import parse_calibration
from trellis.store.answers import Store


async def is_kept_in_store(source: ModelSource) -> bool:
    """Whether the store, and no folder, keeps what is fitted for a model."""
    return source.folder is None or (await source.card.get()).is_general


async def read_calibration(source: ModelSource, method: str, store: Store) -> Calibration:
    """How sure a method may be of this model's answers; a store that fails keeps no answer back."""
    card = await source.card.get()
    if not await is_kept_in_store(source):
        return card.calibration(method)
    try:
        kept = await store.find_calibration(_name_model(source, card), method)
    except StoreError as error:
        _warn_once(source.name, str(error))
        kept = None
    return card.calibration(method) if kept is None else parse_calibration(kept)


async def keep_calibration(
    source: ModelSource, method: str, fitted: Calibration, store: Store
) -> None:
    """Keep a calibration of a model for the store's graph, in place of an earlier one."""
    name = _name_model(source, await source.card.get())
    await store.save_calibration(name, method, asdict(fitted))


@cache
def _warn_once(name: str, problem: str) -> None:
    """Say it at the first question, and not at each."""
    log.warning("answers go on without the calibration of %s: %s", name, problem)


def _name_model(source: ModelSource, card: ModelCard) -> str:
    """The address and the model, so that another one behind an address is not taken for it."""
    return " ".join(filter(None, (source.name, card.base, card.vocabulary)))[:500]
