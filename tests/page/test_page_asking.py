"""What somebody sees who asks on the page."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
from playwright.async_api import Browser, Page, expect

from memory_app import HeldModel, MemoryGraph, app_of, listening
from namesakes_graph import NamesakesGraph
from page.browsing import CAPITAL, ask, browsing, names_in, send, visiting
from trellis.store.answers import Store


async def test_an_answer_is_told_with_its_facts_and_its_picture(page: Page) -> None:
    await ask(page, CAPITAL)
    assert await names_in(page) == ["Paris"]
    await expect(page.locator(".reading")).to_have_text("Understood as: the capital of France")
    await expect(page.locator(".confidence")).to_contain_text("% confident")
    [fact] = await page.locator(".facts [role=option]").all()
    assert await fact.get_attribute("title") == "France has capital Paris."
    assert await page.get_attribute(".picture", "data-facts") == "1"
    await expect(page.locator("#status")).to_contain_text("1 answer, ")


async def test_a_starter_question_is_made_of_the_graph_and_is_answered(page: Page) -> None:
    starter = page.locator("#starters button").first
    question = await starter.inner_text()
    assert "France" in question or "Germany" in question or "Canada" in question
    await starter.click()
    await page.wait_for_selector("#answer .names")
    assert await page.input_value("#question") == question


async def test_steps_are_shown_before_there_is_an_answer(browser: Browser, tmp_path: Path) -> None:
    model = HeldModel()
    async with visiting(browser, tmp_path, MemoryGraph(), lambda: model) as page:
        await send(page, CAPITAL)
        await expect(page.locator("#progress")).to_contain_text("France → France")
        await expect(page.locator("#status")).to_have_text("1 name found. Writing possible answers")
        assert await page.locator("#answer").is_hidden()
        model.go.set()
        await page.wait_for_selector("#answer .names")
        assert await page.locator("#progress").is_hidden()


async def test_who_waits_sees_the_place_in_the_line(browser: Browser, tmp_path: Path) -> None:
    model = HeldModel()
    async with (
        listening(app_of(tmp_path, MemoryGraph(), lambda: model, concurrency=1)) as address,
        httpx.AsyncClient(base_url=address, timeout=600) as client,
        browsing(browser, f"{address}/") as page,
    ):
        first = asyncio.create_task(client.post("/v1/questions", json={"question": CAPITAL}))
        await model.until(lambda: model.waiting == 1)
        await send(page, CAPITAL)
        waiting = "Waiting: your question is first in line"
        await expect(page.locator("#status")).to_have_text(waiting)
        model.go.set()
        await page.wait_for_selector("#answer .names")
        assert (await first).status_code == 200


async def test_escape_stops_a_question_in_the_service_too(browser: Browser, tmp_path: Path) -> None:
    model = HeldModel()
    async with visiting(browser, tmp_path, MemoryGraph(), lambda: model) as page:
        await page.fill("#question", CAPITAL)
        await page.press("#question", "Enter")
        await model.until(lambda: model.waiting == 1)
        await page.keyboard.press("Escape")
        await model.until(lambda: model.left == 1)
        await expect(page.locator("#status")).to_have_text("Stopped.")
        assert await page.locator("#answer").is_hidden()
        assert await page.locator("#send").is_visible()
        model.go.set()
        await ask(page, CAPITAL)
        assert await names_in(page) == ["Paris"]


async def test_what_is_not_in_the_graph_is_said_so_with_what_came_nearest(page: Page) -> None:
    await ask(page, "Who lives in Atlantis?")
    await expect(page.locator("#answer h2")).to_have_text("No answer in this graph")
    assert await page.locator(".facts").count() == 0
    await page.click("summary")
    await expect(page.locator("#answer details")).to_contain_text("Notes")


async def test_another_language_is_told_what_can_be_asked(page: Page) -> None:
    await ask(page, "Как зовут столицу Атлантиды?")
    said = page.locator("#answer .said-answer p").first
    await expect(said).to_contain_text("Questions are read in English only")


async def test_a_refusal_says_what_to_do(browser: Browser, tmp_path: Path) -> None:
    async with visiting(browser, tmp_path, MemoryGraph(), refusals=True) as page:
        await send(page, "\u0007")
        problem = page.locator("#problem[role=alert]")
        await expect(problem).to_be_visible()
        assert len(await problem.locator("p").all()) == 2
        await ask(page, CAPITAL)
        await expect(problem).to_be_hidden()


async def test_a_service_that_has_gone_is_told(browser: Browser, tmp_path: Path) -> None:
    async with visiting(browser, tmp_path, MemoryGraph(), refusals=True) as page:
        await page.wait_for_selector("#starters button")
        await page.route("**/v1/questions", lambda route: route.abort())
        await send(page, CAPITAL)
        await expect(page.locator("#problem")).to_contain_text("the service cannot be reached")


async def test_feedback_reaches_the_store(browser: Browser, tmp_path: Path) -> None:
    async with visiting(browser, tmp_path, MemoryGraph()) as page:
        await ask(page, CAPITAL)
        await page.click("#say-wrong")
        await page.fill("#expected", "Lyon\n\n Marseille ")
        await page.click("text=Send")
        await expect(page.locator(".feedback [role=status]")).to_have_text("Saved. Thank you.")
        assert await page.get_attribute("#say-wrong", "aria-pressed") == "true"
    store = Store.at(f"sqlite+aiosqlite:///{tmp_path}/answers.db", "default")
    [answer] = await store.list_answers(5)
    [note] = await store.list_feedback(answer.id)
    assert (note.right, note.expected) == (False, ["Lyon", "Marseille"])
    await store.close()


async def test_history_opens_an_answer_again(page: Page) -> None:
    await ask(page, CAPITAL)
    await page.click("nav >> text=History")
    await expect(page.locator("#history-rows li")).to_have_count(1)
    await page.reload()
    await page.click("#history-rows a")
    await page.wait_for_selector("#answer .names")
    assert await names_in(page) == ["Paris"]
    assert await page.input_value("#question") == CAPITAL


async def test_the_schema_shows_what_can_be_asked_and_asks_it(page: Page) -> None:
    await page.click("nav >> text=Schema")
    row = page.locator("#schema-parts li", has_text="HAS_CAPITAL")
    await expect(row).to_contain_text("Thing")
    await row.locator("button").click()
    await page.wait_for_selector("#answer .names")
    assert await names_in(page) in (["Paris"], ["Berlin"])


async def test_of_nodes_of_one_name_the_asker_chooses_one(browser: Browser, tmp_path: Path) -> None:
    async with visiting(browser, tmp_path, NamesakesGraph()) as page:  # type: ignore[arg-type]
        await page.select_option("#method", "gcr")
        await ask(page, "What is the capital of Georgia?")
        choices = page.locator("#answer .choices button")
        assert await choices.all_inner_texts() == ["Georgia (Tbilisi)", "Georgia (Atlanta)"]
        await choices.last.click()
        await page.wait_for_selector("#answer .names")
        assert await names_in(page) == ["Atlanta"]
