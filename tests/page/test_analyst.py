"""Ten tasks of an analyst over the demo, by keyboard alone, each looked at on a small screen, on a
large one and in the dark. TRELLIS_SCREENSHOTS names a folder that keeps the pictures."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.async_api import Browser, Page, expect

from page.browsing import browsing, names_in
from page.test_looks import TEXTS, contrast

LOOKS: dict[str, dict[str, Any]] = {
    "360": {"viewport": {"width": 360, "height": 740}},
    "1280": {"viewport": {"width": 1280, "height": 900}},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
}
MOST_TABS = 250
AXE_LIBRARY = Path(AXE_FILE_PATH).read_text(encoding="utf-8")
AXE = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
  .map((it) => `${it.id}: ${it.nodes.map((node) => node.html).slice(0, 3).join(" | ")}`)"""
OUTLINED = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"


class Walk:
    """An analyst at the page, who has a keyboard and looks at each state."""

    def __init__(self, page: Page, folder: Path, look: str) -> None:
        self.page = page
        self._folder = folder
        self._look = look

    async def look_at(self, state: str) -> None:
        """Keep a picture; nothing may be too wide, too faint, or wrong by the rules of axe."""
        wide = await self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= self.page.viewport_size["width"], state  # type: ignore[index]
        file = self._folder / f"{state}-{self._look}.png"
        await self.page.screenshot(path=file, full_page=True)
        texts = await self.page.evaluate(TEXTS)
        assert [it for it, ink, at in texts if contrast(ink, at) < 4.5] == [], state
        await self.page.evaluate(AXE_LIBRARY)
        assert await self.page.evaluate(AXE) == [], state

    async def go_to(self, selector: str) -> None:
        """Press Tab until the element has the focus, and see that it shows."""
        for _ in range(MOST_TABS):
            if await self.page.evaluate("(it) => document.activeElement.matches(it)", selector):
                assert await self.page.evaluate(OUTLINED), selector
                return
            await self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached by Tab")

    async def press(self, selector: str) -> None:
        await self.go_to(selector)
        await self.page.keyboard.press("Enter")

    async def ask(self, question: str) -> None:
        if await self.page.evaluate("document.activeElement.id") != "question":
            await self.page.keyboard.press("/")
        await self.page.keyboard.press("Control+A")
        await self.page.keyboard.type(question)
        await self.page.keyboard.press("Enter")
        await expect(self.page.locator("#answer .asked")).to_have_text(question)
        if await self.page.locator(".facts").count():
            await self.page.wait_for_selector(".picture[data-facts] canvas", state="attached")


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    folder = Path(os.environ.get("TRELLIS_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@asynccontextmanager
async def walking(
    browser: Browser, address: str, shots: Path, look: str, **more: Any
) -> AsyncIterator[Walk]:
    rights = ["clipboard-read", "clipboard-write"]
    async with browsing(browser, address, permissions=rights, **LOOKS[look], **more) as page:
        await page.wait_for_selector("#starters button")
        yield Walk(page, shots, look)


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
async def test_an_analyst_finds_compares_and_goes_on(
    browser: Browser, demo: str, shots: Path, look: str
) -> None:
    async with walking(browser, demo, shots, look) as walk:
        page = walk.page
        await walk.look_at("0-start")
        await walk.ask("What is the capital of Kenya?")
        assert await names_in(page) == ["Nairobi"]
        await walk.look_at("1-find")

        await walk.ask("And of Uganda?")
        assert await names_in(page) == ["Kampala"]
        await expect(page.locator("#thread li")).to_have_count(1)
        await walk.look_at("5-follow-up")

        await walk.press("#anew")
        await walk.ask("Which countries border both France and Italy?")
        assert "Switzerland" in await names_in(page)
        await page.keyboard.press("ArrowDown")
        await expect(page.locator(".picture")).to_have_attribute("data-chosen", "0")
        await walk.press(".ends button")
        await expect(page.locator(".evidence [role=status]")).to_contain_text("added")
        await walk.look_at("2-compare")

        await walk.press("#anew")
        await walk.ask("Which countries are in South America, and what is their population?")
        await walk.press("thead th:nth-child(2) button")
        first = page.locator("#answer tbody tr").first
        await expect(first).to_contain_text("Brazil")
        await walk.look_at("3-list-with-a-property")

        await walk.press("#anew")
        await walk.ask("How many countries are on each continent?")
        await expect(page.locator("#answer h2").first).to_contain_text("continents")
        await walk.look_at("4-group")

        await walk.press("#anew")
        await walk.ask("Which countries are in Africa?")
        await expect(page.locator("#answer h2").first).to_have_text("54 countries")
        await walk.look_at("1-find-many")


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
async def test_an_analyst_disagrees_exports_shares_and_comes_back(
    browser: Browser, demo: str, shots: Path, look: str
) -> None:
    async with walking(browser, demo, shots, look) as walk:
        page = walk.page
        question = "Which rivers flow through Switzerland?"
        await walk.ask(question)
        await walk.press("#say-wrong")
        await page.keyboard.type("Rhine")
        await walk.look_at("6-disagree")
        await walk.press(".feedback [type=submit]")
        await expect(page.locator(".feedback [role=status]")).to_have_text("Saved. Thank you.")

        await page.evaluate("document.activeElement.blur()")
        async with page.expect_download() as saving:
            await walk.press(".export button:nth-child(2)")
        assert "Rhine" in (await (await saving.value).path()).read_text(encoding="utf-8-sig")
        await walk.look_at("7-export")

        await page.evaluate("document.activeElement.blur()")
        await walk.press("#copy-link")
        await expect(page.locator(".export [role=status]")).to_have_text("Copied")
        link = await page.evaluate("navigator.clipboard.readText()")
        await walk.press("#edit-query")
        await page.keyboard.press("Control+Enter")
        await expect(page.locator(".asked-query tbody tr").first).to_be_visible()
        await walk.look_at("8-share-and-query")

        await page.evaluate("document.activeElement.blur()")
        await walk.press("nav [data-view=schema]")
        await walk.go_to("#schema-parts .example")
        await walk.look_at("9-schema")

    async with browsing(browser, link, refusals=True, **LOOKS[look]) as page:
        await page.wait_for_selector("#answer .names")
        walk = Walk(page, shots, look)
        await walk.press("nav [data-view=history]")
        await walk.go_to("#search")
        await page.keyboard.type("rivers")
        rows = page.locator("#history-rows li")
        await expect(rows.first).to_contain_text(question)
        await walk.look_at("10-come-back")
        await walk.press("#history-rows a")
        await expect(page.locator("#answer .asked")).to_have_text(question)

        await walk.ask("Who wrote Hamlet?")
        await walk.look_at("11-no-answer")
        await page.route("**/v1/questions", lambda route: route.fulfill(status=503, json=BROKEN))
        await page.keyboard.press("/")
        await page.keyboard.press("Enter")
        await expect(page.locator("#problem")).to_be_visible()
        await walk.look_at("12-problem")


BROKEN = {
    "title": "Not ready",
    "detail": "The graph cannot be reached.",
    "remedy": "Try again soon.",
}
