"""A real Chromium and the demo, each started once."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

from page.browsing import PATIENCE, Visit, visiting
from page.kept import opening_kept
from real_neo4j import skip_without_neo4j
from trellis_command import TRELLIS, build_environment


@pytest.fixture(scope="package")
async def browser() -> AsyncIterator[Browser]:
    path = shutil.which("chromium")
    assert path, "Chromium is not installed: run `deploy/prerequisites python3 tests`"
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        # tests may run as root, which Chromium's sandbox refuses
        started = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        await started.close()


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Visit:
    """`visiting`, whose store stands in the test's folder."""
    return partial(visiting, browser, tmp_path)


@pytest.fixture
async def page(visit: Visit) -> AsyncIterator[Page]:
    """The page of a small service."""
    async with visit() as opened:
        yield opened


@pytest.fixture
def visit_kept(browser: Browser, tmp_path: Path) -> Visit:
    """`opening_kept`, whose store stands in the test's folder."""
    return partial(opening_kept, browser, tmp_path)


@pytest.fixture(scope="package")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a demo that runs until the tests of this folder are through."""
    folder = tmp_path_factory.mktemp("demo")
    skip_without_neo4j(folder)
    with subprocess.Popen(
        [TRELLIS, "demo", "--port", "0", "--data", folder / "demo"],
        env=build_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout
        addresses = (re.search(r"the page: (http://\S+)", line) for line in running.stdout)
        found = next(filter(None, addresses), None)
        assert found, "the demo ended before it was ready"
        yield found[1]
        running.terminate()
        running.stdout.read()
