"""Names of the graph are shown as the texts that they are, whatever they hold."""

from __future__ import annotations

import pytest
from playwright.async_api import Page

from memory_app import MemoryGraph
from page.browsing import CAPITAL, Visit, ask, names_in

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</li><script>alert(2)</script>",
    '"><svg onload=alert(3)>',
    "javascript:alert(4)",
    "&lt;b&gt; &amp; &#x41;",
    "${alert(5)} {{7*7}} %3Cb%3E",
    "__proto__",
    "constructor",
    "abc\u202egnp.exe",
    "القاهرة",
    "Z\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308" * 30,
    "👩‍👩‍👧‍👦 家族",
    "W" * 3_000,
)


@pytest.mark.parametrize("relation", ["HAS_CAPITAL", "<b>CAPITAL</b>`'\""])
async def test_hostile_names_are_shown_as_text(visit: Visit, relation: str) -> None:
    graph = MemoryGraph([("France", relation, name) for name in HOSTILE])
    async with visit(graph, viewport={"width": 360, "height": 740}) as page:
        before = await page.evaluate("document.querySelectorAll('script, img, svg').length")
        await ask(page, CAPITAL)
        assert set(await names_in(page)) == set(HOSTILE)
        told = await page.locator(".facts .relation .said").all_inner_texts()
        assert set(told) == {relation}
        await page.click("summary")
        after = await page.evaluate("document.querySelectorAll('script, img, svg').length")
        assert after == before
        assert await page.evaluate("document.documentElement.scrollWidth") == 360
        assert await page.evaluate("({}).polluted === undefined")
        await page.click("nav >> text=History")
        await page.wait_for_selector("#history-rows li")
        assert await page.evaluate("document.documentElement.scrollWidth") == 360
        await page.click("nav >> text=Schema")
        await page.wait_for_selector("#schema-parts li")
        assert await page.evaluate("document.documentElement.scrollWidth") == 360


async def test_a_question_and_a_correction_are_shown_as_text(page: Page) -> None:
    await ask(page, f"{CAPITAL} <img src=x onerror=alert(1)>")
    await page.click("nav >> text=History")
    await page.wait_for_selector("#history-rows a")
    assert "<img src=x" in await page.locator("#history-rows a").inner_text()
    assert await page.locator("img").count() == 0


async def test_an_address_that_names_no_answer_says_so(visit: Visit) -> None:
    async with visit(refusals=True) as page:
        address = page.url.split("#")[0]
        for id in ("<img src=x onerror=alert(1)>", "..%2F..%2Flivez", "%00", "nothing"):
            await page.goto(f"{address}#/answers/{id}")
            await page.wait_for_selector("#problem p")
            assert await page.locator("img").count() == 0
