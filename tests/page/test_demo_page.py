"""The page over the demo: a real graph, the bundled model, and the picture for README.md."""

from __future__ import annotations

import os

import pytest
from playwright.async_api import Browser, expect

from page.browsing import ask, browsing, names_in

PICTURED = "Which rivers flow through Switzerland?"


@pytest.mark.slow
async def test_every_starter_question_is_answered(browser: Browser, demo: str) -> None:
    async with browsing(browser, demo) as page:
        await page.wait_for_selector("#starters button")
        starters = await page.locator("#starters button").all_inner_texts()
        assert len(starters) == 6
        for question in starters:
            await ask(page, question)
            assert await names_in(page), question


@pytest.mark.slow
async def test_a_query_is_shown_with_its_facts(browser: Browser, demo: str) -> None:
    size = {"width": 960, "height": 900}
    async with browsing(browser, demo, viewport=size, device_scale_factor=1.1) as page:
        await page.wait_for_selector("#method [value=graphraft]", state="attached")
        await page.select_option("#method", "graphraft")
        await ask(page, PICTURED)
        assert {"Rhine", "Rhône"} <= set(await names_in(page))
        await expect(page.locator(".query")).to_contain_text("FLOWS_THROUGH")
        facts = await page.locator(".facts [role=option]").all_inner_texts()
        index = next(number for number, fact in enumerate(facts) if fact.startswith("Rhine"))
        for _ in range(index + 1):
            await page.keyboard.press("ArrowDown")
        await expect(page.locator(".picture")).to_have_attribute("data-chosen", str(index))
        if wanted := os.environ.get("TRELLIS_PICTURE"):
            await page.evaluate("scrollTo(0, 0)")
            await page.screenshot(path=wanted)


@pytest.mark.slow
async def test_all_that_can_be_asked_has_an_example(browser: Browser, demo: str) -> None:
    async with browsing(browser, f"{demo}#/schema") as page:
        await page.wait_for_selector("#schema-parts .example")
        relations = page.locator("#schema-parts section").first.locator("li")
        await expect(relations).to_have_count(39)
        await expect(relations.locator(".example")).to_have_count(39)
