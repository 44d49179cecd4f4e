"""The service on parts in memory, asked over ASGI."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from memory_app import MemoryGraph, served


@pytest.fixture
def graph() -> MemoryGraph:
    return MemoryGraph()


@pytest.fixture
async def client(tmp_path: Path, graph: MemoryGraph) -> AsyncIterator[httpx.AsyncClient]:
    async with served(tmp_path, graph) as opened:
        yield opened
