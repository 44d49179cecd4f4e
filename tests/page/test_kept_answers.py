"""Answers of the store are shown whole: their queries, their methods, claims, and old ones."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, expect

from page.kept import make_answer, opening_kept

QUERY = "MATCH (x0:`City`)\nRETURN x0"
EVIDENCE = [["France", "HAS_CAPITAL", "Paris"]]
OLD = make_answer(
    answers=[{"name": "Paris", "id": "n1", "labels": ["City"], "score": 0.9, "paths": [0]}],
    evidence=EVIDENCE,
    paths=["France -HAS_CAPITAL-> Paris"],
)
SURE = {"method": "graphraft", "stance": "answered", "confidence": 0.9, "agrees": True}
FAILED = {"method": "gcr", "stance": "failed", "confidence": 0.0, "agrees": False}
QUERIED = {
    **OLD,
    "asked": "What is the capital of France, then?",
    "cypher": QUERY,
    "params": {"v0": "France <b>"},
    "chosen": {
        "methods": [
            {**SURE, "seconds": 0.2, "answer_count": 3},
            {**FAILED, "seconds": 0.1, "answer_count": 0, "problem": "no <i>paths</i>"},
        ],
        "skipped": ["simgrag", "dog"],
        "reason": "graphraft was sure enough",
    },
}
NEAREST = [{**each, "excerpt": "A city <b>on</b> the Seine."} for each in OLD["answers"]]
HELD = make_answer(
    abstained=True,
    held_back="it leaves out “tall”",
    nearest={"linked": [], "answers": NEAREST},
)
CLAIM = {
    "id": "claim",
    "claim": "The capital of France is Paris.",
    "verdict": "supported",
    "confidence": 0.93,
    "evidence": EVIDENCE,
    "reading": "the capital of France is Paris",
    "mentions": [{"text": "France", "start": 15, "end": 21, "nodes": []}],
    "candidates": [],
    "steps": [],
    "notes": [],
}


async def test_c_copies_the_query_with_its_parameters(browser: Browser, tmp_path: Path) -> None:
    rights = ["clipboard-read", "clipboard-write"]
    async with opening_kept(browser, tmp_path, QUERIED, permissions=rights) as page:
        await page.keyboard.press("c")
        await expect(page.locator("#copy-query")).to_have_text("Copied")
        copied = await page.evaluate("navigator.clipboard.readText()")
        assert copied == f':params {{"v0":"France <b>"}}\n\n{QUERY}'


async def test_a_query_is_selected_where_it_may_not_be_copied(
    browser: Browser, tmp_path: Path
) -> None:
    async with opening_kept(browser, tmp_path, QUERIED) as page:
        await page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        await page.keyboard.press("c")
        await expect(page.locator("#status")).to_have_text("Selected. Copy it with Ctrl+C.")
        assert QUERY in await page.evaluate("String(getSelection())")


async def test_the_methods_that_were_asked_are_told_with_the_reason(
    browser: Browser, tmp_path: Path
) -> None:
    async with opening_kept(browser, tmp_path, QUERIED) as page:
        await expect(page.locator(".reading")).to_contain_text("Asked as: What is the capital of")
        await page.click("summary")
        told = page.locator("#answer details")
        for text in (
            "graphraft: 3 answers",
            "gcr: failed: no <i>paths</i>",
            "Not asked: simgrag, dog",
            "graphraft was sure enough",
        ):
            await expect(told).to_contain_text(text)


async def test_an_answer_of_long_ago_is_drawn_by_its_names(
    browser: Browser, tmp_path: Path
) -> None:
    async with opening_kept(browser, tmp_path, OLD) as page:
        await page.wait_for_selector(".picture[data-facts='1'] canvas", state="attached")
        [fact] = await page.locator(".facts [role=option]").all()
        assert await fact.get_attribute("title") == "France HAS_CAPITAL Paris"


async def test_what_is_held_back_says_why(browser: Browser, tmp_path: Path) -> None:
    async with opening_kept(browser, tmp_path, HELD) as page:
        await expect(page.locator("#answer h2")).to_have_text(
            "What was found does not answer the question"
        )
        await expect(page.locator("#answer")).to_contain_text("It leaves out “tall”.")
        await expect(page.locator(".nearest")).to_contain_text("Paris")
        excerpt = page.locator(".nearest .excerpt")
        await expect(excerpt).to_have_text("“A city <b>on</b> the Seine.”")


async def test_a_claim_is_shown_with_its_verdict(browser: Browser, tmp_path: Path) -> None:
    async with opening_kept(browser, tmp_path, CLAIM) as page:
        await expect(page.locator("#answer h2")).to_have_text("Supported by the graph")
        assert await page.input_value("#question") == CLAIM["claim"]
        assert await page.locator(".facts [role=option]").count() == 1
        assert await page.locator("#follows").is_hidden()
