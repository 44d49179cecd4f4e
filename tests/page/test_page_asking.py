"""What somebody sees who asks on the page, by the pointer or by the keyboard alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
from playwright.async_api import Browser, Page, expect

from memory_app import HeldModel, MemoryGraph, app_of, listening
from namesakes_graph import NamesakesGraph
from page.browsing import CAPITAL, Visit, ask, browsing, names_in, send
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


async def test_steps_are_shown_before_there_is_an_answer(visit: Visit) -> None:
    model = HeldModel()
    async with visit(MemoryGraph(), lambda: model) as page:
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


async def test_escape_stops_a_question_in_the_service_too(visit: Visit) -> None:
    model = HeldModel()
    async with visit(MemoryGraph(), lambda: model) as page:
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


async def test_a_refusal_says_what_to_do(visit: Visit) -> None:
    async with visit(refusals=True) as page:
        await send(page, "\u0007")
        problem = page.locator("#problem[role=alert]")
        await expect(problem).to_be_visible()
        assert len(await problem.locator("p").all()) == 2
        await ask(page, CAPITAL)
        await expect(problem).to_be_hidden()


async def test_feedback_reaches_the_store(visit: Visit, tmp_path: Path) -> None:
    async with visit() as page:
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


async def test_of_nodes_of_one_name_the_asker_chooses_one(visit: Visit) -> None:
    async with visit(NamesakesGraph()) as page:  # type: ignore[arg-type]
        await page.select_option("#method", "gcr")
        await ask(page, "What is the capital of Georgia?")
        choices = page.locator("#answer .choices button")
        assert await choices.all_inner_texts() == ["Georgia (Tbilisi)", "Georgia (Atlanta)"]
        await choices.last.click()
        await page.wait_for_selector("#answer .names")
        assert await names_in(page) == ["Atlanta"]


NEIGHBOURS = tuple(("France", "BORDERS", f"Land {number}") for number in range(1, 121))
BORDERS = "Which lands are BORDERS of France?"


async def focused(page: Page) -> str:
    return str(await page.evaluate("document.activeElement.textContent"))


async def test_arrows_walk_the_facts_and_the_picture_follows(visit: Visit) -> None:
    async with visit(MemoryGraph(NEIGHBOURS)) as page:
        await ask(page, BORDERS)
        facts = await page.locator(".facts [role=option]").all_inner_texts()
        picture = page.locator(".picture")
        for key, index in (("ArrowDown", 0), ("ArrowDown", 1), ("End", len(facts) - 1)):
            await page.keyboard.press(key)
            assert await focused(page) == facts[index].replace("\n", "")
            await expect(picture).to_have_attribute("data-chosen", str(index))
        await page.keyboard.press("ArrowDown")  # there is none below the last
        assert await focused(page) == facts[-1]
        await page.keyboard.press("Home")
        await page.keyboard.press("ArrowUp")
        assert await focused(page) == facts[0]
        chosen = page.locator(".facts [aria-selected=true]")
        assert await chosen.all_inner_texts() == facts[:1]
        assert await page.locator(".facts [tabindex='0']").count() == 1


async def test_the_list_holds_fifty_nodes_and_then_more(visit: Visit) -> None:
    async with visit(MemoryGraph(NEIGHBOURS)) as page:
        await ask(page, BORDERS)
        options, more = page.locator(".facts [role=option]"), page.locator(".facts + button")
        await expect(options).to_have_count(49)  # of France and 49 others
        await expect(more).to_have_text("Show more (71 facts left)")
        await more.press("Enter")
        await expect(options).to_have_count(99)
        assert (
            await page.locator(".facts :focus").inner_text() == await options.nth(49).inner_text()
        )
        await more.press("Enter")
        await expect(options).to_have_count(120)
        await expect(more).to_be_hidden()
        await expect(page.locator(".picture")).to_have_attribute("data-facts", "120")


async def test_slash_and_escape_enter_and_leave_the_question(page: Page) -> None:
    await page.keyboard.press("/")
    assert await page.evaluate("document.activeElement.id") == "question"
    await page.keyboard.type("a/b?gcyn")
    assert await page.input_value("#question") == "a/b?gcyn"
    await page.keyboard.press("Escape")
    assert await page.evaluate("document.activeElement.tagName") == "BODY"


async def test_g_hides_and_shows_the_picture(page: Page) -> None:
    await ask(page, CAPITAL)
    for shown in (False, True):
        await page.keyboard.press("g")
        assert await page.locator(".picture").is_visible() is shown
        assert await page.get_attribute("#toggle-picture", "aria-pressed") == str(shown).lower()


async def test_no_key_stores_feedback(page: Page) -> None:
    await ask(page, CAPITAL)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    for key in "abcdefghijklmnopqrstuvwxyz":
        await page.keyboard.press(key)
    assert [it for it in sent if it.startswith("POST")] == []
    await page.click("#say-right")
    await expect(page.locator(".feedback [role=status]")).to_have_text("Saved. Thank you.")
    await expect(page.locator("#say-right")).to_have_attribute("aria-pressed", "true")


async def test_keys_of_one_character_can_be_switched_off(page: Page) -> None:
    await page.click("#show-keys")
    await page.uncheck("#use-keys")
    await page.keyboard.press("Escape")
    await ask(page, CAPITAL)
    for key in ("g", "?", "/"):
        await page.keyboard.press(key)
    assert await page.locator(".picture").is_visible()
    assert await page.locator("#keys").is_hidden()
    assert await page.evaluate("document.activeElement.id") != "question"
    await page.keyboard.press("ArrowDown")
    await expect(page.locator(".facts [aria-selected=true]")).to_have_count(1)
    await page.reload()
    await page.wait_for_selector("#answer .names")
    await page.keyboard.press("g")
    assert await page.locator(".picture").is_visible()
    await page.click("#show-keys")
    await page.check("#use-keys")
    await page.keyboard.press("Escape")
    await page.keyboard.press("g")
    assert await page.locator(".picture").is_hidden()


async def test_the_keys_are_listed(page: Page) -> None:
    await page.keyboard.press("?")
    keys = await page.locator("#keys kbd").all_inner_texts()
    assert {"/", "Esc", "↓", "↑", "g", "c"} <= set(keys)
    await page.keyboard.press("Escape")
    await expect(page.locator("#keys")).to_be_hidden()


async def test_every_control_is_reached_by_tab(page: Page) -> None:
    await ask(page, CAPITAL)
    wanted = await page.evaluate(
        "[...document.querySelectorAll('a, button, input, select, summary, [tabindex=\"0\"]')]"
        ".filter((it) => it.offsetParent !== null && !it.matches('.skip')).length"
    )
    await page.evaluate("document.activeElement.blur()")
    reached: set[str] = set()
    for _ in range(wanted + 5):
        await page.keyboard.press("Tab")
        reached.add(await page.evaluate("document.activeElement.outerHTML"))
    assert len(reached) >= wanted
