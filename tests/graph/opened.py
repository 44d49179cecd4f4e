"""An app by the shipped reader, over the graph of a test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from trellis.app.trellis_app import TrellisApp
from trellis.settings import Settings
from trellis.wiring import assemble_app


@asynccontextmanager
async def opening_reader(
    settings: Settings, folder: Path, **more: Any
) -> AsyncIterator[TrellisApp]:
    """The app, with its store in a folder. `more`: further settings."""
    own = {"store_url": f"sqlite+aiosqlite:///{folder}/answers.db", "model": "reader"}
    async with assemble_app(settings.model_copy(update=own | more)) as opened:
        await opened.prepare_store()
        yield opened
