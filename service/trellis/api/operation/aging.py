"""Deletes answers and audit rows that are older than the settings say, while the service runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trellis.domain.errors import StoreError
from trellis.http.disconnects import cancel_tasks
from trellis.logs import log
from trellis.settings import Settings
from trellis.store.database import Database
from trellis.store.retention import Retention

_INTERVAL_SECONDS = 3_600.0


@asynccontextmanager
async def delete_while_running(settings: Settings) -> AsyncIterator[None]:
    """Delete what is too old now and once an hour inside the block; nothing where all is kept.

    Several services on one store may all do it. A store that fails is asked again an hour later.
    """
    if not settings.answer_days and not settings.audit_days:
        yield
        return
    database = Database.at(settings.store_url)
    task = asyncio.create_task(_delete_for_ever(Retention(database), settings))
    try:
        yield
    finally:
        await cancel_tasks(task)
        await database.close()


async def _delete_for_ever(retention: Retention, settings: Settings) -> None:
    while True:
        choice = retention.choose_older(settings.answer_days or None, settings.audit_days or None)
        try:
            if counts := await retention.delete_rows(choice):
                log.info("aged", answers=counts.answers, audit_rows=counts.audit_rows)
        except StoreError as error:
            log.warning("aged rows stay for now", problem=str(error))
        await asyncio.sleep(_INTERVAL_SECONDS)
