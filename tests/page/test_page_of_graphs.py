"""Several graphs are asked one at a time, and nothing of one is shown as another's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from memory_app import MemoryGraph, WordModel, listening, opener
from page.browsing import CAPITAL, ask, browsing, names_in
from trellis.api.app import create_app
from trellis.app.trellis_app import TrellisApp
from trellis.settings import Settings

GRAPHS = {
    "world": MemoryGraph([("France", "HAS_CAPITAL", "Paris")]),
    "novel": MemoryGraph([("France", "HAS_CAPITAL", "Versailles")]),
}
FILE = '[graphs.world]\nuri = "bolt://w"\n[graphs.novel]\nuri = "bolt://n"\n'


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """The page's address at a service of two graphs, of which `world` is the default one."""
    file = tmp_path / "graphs.toml"
    file.write_text(FILE)

    @asynccontextmanager
    async def open_app(chosen: Settings) -> AsyncIterator[TrellisApp]:
        async with opener(GRAPHS[chosen.graph], WordModel)(chosen) as trellis_app:
            yield trellis_app

    store = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    app = create_app(Settings(store_url=store, graphs_file=file, _env_file=None), open_app)
    async with listening(app) as at:
        yield f"{at}/"


async def test_each_graph_is_asked_by_its_name(browser: Browser, address: str) -> None:
    async with browsing(browser, address) as page:
        await expect(page.locator("#graph option")).to_have_text(["world", "novel"])
        await ask(page, CAPITAL)
        assert await names_in(page) == ["Paris"]
        await page.select_option("#graph", "novel")
        await expect(page.locator("#answer")).to_be_hidden()
        await expect(page.locator("#follows")).to_be_hidden()
        await ask(page, CAPITAL)
        assert await names_in(page) == ["Versailles"]
        await page.click("#say-right")
        await expect(page.locator(".feedback [role=status]")).to_have_text("Saved. Thank you.")
        await page.click("nav >> text=History")
        await expect(page.locator("#history-rows li")).to_have_count(1)
        await expect(page.locator("#history-rows")).to_contain_text("Versailles")
        await page.reload()
        await expect(page.locator("#history-rows")).to_contain_text("Versailles")


async def test_the_address_of_an_answer_names_its_graph(browser: Browser, address: str) -> None:
    async with browsing(browser, address) as page:
        await page.wait_for_selector("#graph option", state="attached")
        await page.select_option("#graph", "novel")
        await ask(page, CAPITAL)
        there = page.url
    async with browsing(browser, there) as page:
        await page.wait_for_selector("#answer .names")
        assert await names_in(page) == ["Versailles"]
        await expect(page.locator("#graph")).to_have_value("novel")


async def test_two_tabs_ask_two_graphs_side_by_side(browser: Browser, address: str) -> None:
    async with browsing(browser, address) as first:
        second = await first.context.new_page()
        await second.goto(address)
        await second.wait_for_selector("#graph option", state="attached")
        await second.select_option("#graph", "novel")
        await ask(second, CAPITAL)
        await ask(first, CAPITAL)
        assert (await names_in(first), await names_in(second)) == (["Paris"], ["Versailles"])
        await second.reload()
        await second.wait_for_selector("#answer .names")
        assert await names_in(second) == ["Versailles"]
        await expect(first.locator("#graph")).to_have_value("")


async def test_back_from_one_graph_leads_to_the_other(browser: Browser, address: str) -> None:
    async with browsing(browser, address) as page:
        await page.wait_for_selector("#graph option", state="attached")
        await ask(page, CAPITAL)
        first = page.url
        await page.click("nav >> text=Ask")
        await page.select_option("#graph", "novel")
        await ask(page, CAPITAL)
        await page.evaluate("(there) => location.assign(there)", first)
        await expect(page.locator("#answer .names .name")).to_have_text("Paris")
        await expect(page.locator("#graph")).to_have_value("")


async def test_a_graph_that_is_not_served_is_left(browser: Browser, address: str) -> None:
    async with browsing(browser, f"{address}#/ask?graph=%E0%A4%A", refusals=True) as page:
        await expect(page.locator("#graph option")).to_have_count(2)
        await expect(page.locator("#graph")).to_have_value("")
        await ask(page, CAPITAL)
        assert await names_in(page) == ["Paris"]


async def test_where_there_is_one_graph_there_is_nothing_to_choose(page: Page) -> None:
    await page.wait_for_selector("#starters button")
    assert await page.locator("#graph").is_hidden()
