"""What travels with a question beside its words: earlier questions, the method, and a key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from playwright.async_api import Browser, Page, expect
from starlette.responses import StreamingResponse
from starlette.routing import Route

from memory_app import MemoryGraph, listening
from page.browsing import (
    CAPITAL,
    Visit,
    ask,
    browsing,
    give_key,
    names_in,
    send,
    visiting_with_keys,
)
from trellis.api.page import install_page

BERLIN = "What is the capital of Germany?"


async def ask_and_read(page: Page, question: str) -> Any:
    """Ask, and give the body that was sent."""
    async with page.expect_request("**/v1/questions") as request:
        await ask(page, question)
    return (await request.value).post_data_json


async def test_earlier_questions_travel_with_the_next_until_one_starts_anew(page: Page) -> None:
    assert await ask_and_read(page, CAPITAL) == {"question": CAPITAL}
    assert "can refer to this one" in await page.locator("#follows").inner_text()
    second = await ask_and_read(page, BERLIN)
    turn = {"question": CAPITAL, "answers": ["Paris"], "reading": "the capital of France"}
    assert second == {"question": BERLIN, "history": [turn]}
    await page.click("#anew")
    await expect(page.locator("#follows")).to_be_hidden()
    assert await ask_and_read(page, CAPITAL) == {"question": CAPITAL}


async def test_a_question_goes_on_from_the_last_one(page: Page) -> None:
    await ask(page, CAPITAL)
    await ask(page, "And of Germany?")
    assert await names_in(page) == ["Berlin"]
    await expect(page.locator(".reading")).to_contain_text(f"Asked as: {BERLIN}")


async def test_five_turns_at_most_travel(page: Page) -> None:
    bodies = [await ask_and_read(page, CAPITAL) for _ in range(7)]
    assert [len(body.get("history", ())) for body in bodies] == [0, 1, 2, 3, 4, 5, 5]


async def test_long_names_do_not_travel(visit: Visit) -> None:
    graph = MemoryGraph([("France", "HAS_CAPITAL", "Paris" * 1_000)])
    async with visit(graph) as page:
        await ask(page, CAPITAL)
        assert (await ask_and_read(page, CAPITAL))["history"][0]["answers"] == []


async def test_a_method_can_be_chosen_of_those_that_are_ready(page: Page) -> None:
    await expect(page.locator("#method option")).to_have_text(["automatic", "gcr"])
    await page.select_option("#method", "gcr")
    assert (await ask_and_read(page, CAPITAL))["method"] == "gcr"


async def test_a_key_is_asked_for_and_sent(browser: Browser, tmp_path: Path) -> None:
    async with visiting_with_keys(browser, tmp_path, "ask feedback") as (page, [token]):
        for key in ("wrong", token):
            await expect(page.locator("#access-why")).to_contain_text("key")
            await give_key(page, key)
        await page.wait_for_selector("#starters button")
        await expect(page.locator("#access")).to_be_hidden()
        await ask(page, CAPITAL)
        assert await names_in(page) == ["Paris"]
        await page.click("#say-right")
        await expect(page.locator(".feedback [role=status]")).to_have_text("Saved. Thank you.")
        await page.click("nav >> text=Schema")
        await page.wait_for_selector("#schema-parts li")
        assert token not in page.url + await page.evaluate("JSON.stringify(localStorage)")


async def test_who_has_no_key_is_told_what_to_do(browser: Browser, tmp_path: Path) -> None:
    async with visiting_with_keys(browser, tmp_path) as (page, _):
        await page.locator("#access").wait_for()
        await page.keyboard.press("Escape")
        await send(page, CAPITAL)
        await page.click("#access >> text=Cancel")
        await expect(page.locator("#problem")).to_contain_text("trellis keys create")


async def test_a_key_without_the_scope_is_refused_and_another_can_be_given(
    browser: Browser, tmp_path: Path
) -> None:
    async with visiting_with_keys(browser, tmp_path, "retrieve", "ask") as (page, keys):
        await give_key(page, keys[0])
        await send(page, CAPITAL)
        await expect(page.locator("#problem")).to_contain_text("ask")
        await page.click("#change-key")
        await give_key(page, keys[1])
        await ask(page, CAPITAL)
        assert await names_in(page) == ["Paris"]


GIVE_A_KEY_AND_ASK = """async ([key, question]) => {
    const send = (form) => form.requestSubmit(form.querySelector("button"));
    document.getElementById("access-key").value = key;
    send(document.querySelector("#access form"));
    for (let turn = 0; turn < 10; turn++) await null;  // before anything else can happen
    document.getElementById("question").value = question;
    send(document.getElementById("ask-form"));
}"""


async def test_a_question_asked_at_once_goes_by_the_new_key(
    browser: Browser, tmp_path: Path
) -> None:
    async with visiting_with_keys(browser, tmp_path, "retrieve", "ask") as (page, keys):
        await give_key(page, keys[0])
        await expect(page.locator("#access")).to_be_hidden()
        await page.click("#change-key")
        await page.evaluate(GIVE_A_KEY_AND_ASK, [keys[1], CAPITAL])
        await page.wait_for_selector("#answer > *")
        assert await names_in(page) == ["Paris"]


async def test_an_answer_that_breaks_off_is_told(browser: Browser) -> None:
    async def begin(_: object) -> StreamingResponse:
        return StreamingResponse(iter(['event: links\ndata: {"links": []}\n\n', "event: ans"]))

    app = FastAPI(routes=[Route("/v1/questions", begin, methods=["POST"])])
    install_page(app)
    async with listening(app) as address, browsing(browser, f"{address}/", refusals=True) as page:
        await send(page, CAPITAL)
        await expect(page.locator("#problem")).to_contain_text("stopped before it had answered")
        assert await page.locator("#send").is_visible()


async def test_without_the_drawing_library_the_list_is_there(visit: Visit) -> None:
    async with visit(refusals=True) as page:
        await page.route("**/vendor/cytoscape*", lambda route: route.abort())
        await page.fill("#question", CAPITAL)
        await page.press("#question", "Enter")
        await expect(page.locator(".picture")).to_contain_text("The picture could not be loaded")
        await page.keyboard.press("ArrowDown")
        await expect(page.locator(".facts [aria-selected=true]")).to_have_count(1)
