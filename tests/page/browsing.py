"""Opens the page of a service in a browser, and sees to it that it says nothing went wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Browser, Page

from memory_app import MemoryGraph, app_of, listening
from trellis.domain.ports import LanguageModel

PATIENCE = 120_000  # milliseconds; it only ends a test that hangs
Visit = Callable[..., AbstractAsyncContextManager[Page]]
CAPITAL = "What is the capital of France?"


@asynccontextmanager
async def browsing(
    browser: Browser, address: str, *, refusals: bool = False, **context: Any
) -> AsyncIterator[Page]:
    """The page at an address, in a window of its own.

    At its end nothing may have been logged as an error, no script may have failed, and nothing may
    have been asked of another host. `refusals`: responses that refuse something are expected.
    """
    window = await browser.new_context(**context)
    window.set_default_timeout(PATIENCE)
    page = await window.new_page()
    wrong: list[str] = []
    page.on("console", lambda it: wrong.append(it.text) if it.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    # Chromium hands requests to a test from the page's load on; were the first route set later, a
    # request that follows at once could still pass it by.
    await page.route("**/nothing-is-here", lambda route: route.abort())
    await page.goto(address)
    yield page
    await window.close()
    assert hosts == {urlsplit(address).netloc}
    assert [it for it in wrong if not (refusals and "Failed to load resource" in it)] == []


@asynccontextmanager
async def visiting(
    browser: Browser,
    folder: Path,
    graph: MemoryGraph | None = None,
    *loads: Callable[[], LanguageModel],
    **context: Any,
) -> AsyncIterator[Page]:
    """The page of a service on these parts; its store stands in the folder."""
    async with (
        listening(app_of(folder, graph or MemoryGraph(), *loads)) as address,
        browsing(browser, f"{address}/", **context) as page,
    ):
        yield page


@asynccontextmanager
async def visiting_with_keys(
    browser: Browser, folder: Path, *scopes: str
) -> AsyncIterator[tuple[Page, list[str]]]:
    """The page of a service that asks for a key, and a new key for each scope."""
    app = app_of(folder, MemoryGraph(), require_keys=True)
    async with listening(app) as address, browsing(browser, f"{address}/", refusals=True) as page:
        keys = [await app.state.guard.keys.create_key("test", it.split()) for it in scopes]
        yield page, [str(key) for key in keys]


async def give_key(page: Page, key: str) -> None:
    await page.fill("#access-key", key)
    await page.press("#access-key", "Enter")


async def send(page: Page, question: str) -> None:
    """Type a question and press the button, without waiting for an answer."""
    await page.fill("#question", question)
    await page.click("#send")


async def ask(page: Page, question: str) -> None:
    """Type a question, and wait for its answer and the picture of its facts, if it has any."""
    await page.fill("#question", question)
    await page.press("#question", "Enter")
    await page.wait_for_selector("#answer > *")
    if await page.locator(".facts").count():
        await page.wait_for_selector(".picture[data-facts] canvas", state="attached")


def names_in(page: Page) -> Any:
    """The names of an answer, in its list or in the first column of its table."""
    return page.locator("#answer .names .name, #answer tbody th bdi").all_inner_texts()
