"""A real Chromium, started once."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator

import pytest
from browsing import PATIENCE
from playwright.async_api import Browser, async_playwright, expect


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    path = shutil.which("chromium")
    assert path, "Chromium is not installed: run `deploy/prerequisites python3 tests`"
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        # tests may run as root, which Chromium's sandbox refuses
        started = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        await started.close()
