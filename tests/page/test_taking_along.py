"""Answers are taken along: as links, files, queries that are changed and run; and deleted again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, Route, expect

from memory_app import MemoryGraph, app_of, listening
from page.browsing import CAPITAL, Visit, ask, browsing, give_key, names_in, send
from page.kept import make_star

RIGHTS = ["clipboard-read", "clipboard-write"]
BROWSER = "http://neo4j.example/browser/"


async def test_a_link_opens_the_answer_in_another_window(browser: Browser, tmp_path: Path) -> None:
    async with listening(app_of(tmp_path, MemoryGraph())) as address:
        async with browsing(browser, f"{address}/", permissions=RIGHTS) as page:
            await ask(page, CAPITAL)
            await page.click("#copy-link")
            await expect(page.locator(".export [role=status]")).to_have_text("Copied")
            link = await page.evaluate("navigator.clipboard.readText()")
        async with browsing(browser, link) as page:
            await page.wait_for_selector("#answer .names")
            assert await names_in(page) == ["Paris"]
            await expect(page.locator("#answer > .small").first).to_contain_text("Asked on")


async def test_a_link_without_rights_says_so_and_shows_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    app = app_of(tmp_path, MemoryGraph(), require_keys=True)
    async with listening(app) as address:
        owner, other = [str(await app.state.guard.keys.create_key(it, ["ask"])) for it in "ab"]
        async with browsing(browser, f"{address}/", refusals=True) as page:
            await give_key(page, owner)
            await ask(page, CAPITAL)
            link = page.url
        async with browsing(browser, link, refusals=True) as page:
            await give_key(page, other)
            await expect(page.locator("#problem")).to_contain_text("no answer of that id is kept")
            assert await page.locator("#answer").is_hidden()


async def test_cells_that_a_spreadsheet_would_run_are_made_safe(visit_kept: Visit) -> None:
    formulas = ["=cmd()", "+1", "-1", "@sum"]
    kept = make_star(4)
    for node, name in zip(kept["answers"], formulas, strict=True):
        node["name"] = name
    async with visit_kept(kept) as page:
        async with page.expect_download() as saving:
            await page.click("text=Download CSV")
        text = (await (await saving.value).path()).read_text(encoding="utf-8-sig")
        assert text.split() == ["answer", *(f"'{name}" for name in formulas)]


def make_queried() -> dict[str, Any]:
    return {**make_star(2), "cypher": "MATCH (n) RETURN n", "params": {"v0": "Kenya"}}


async def test_a_query_is_changed_and_run_through_the_gate(visit_kept: Visit) -> None:
    sent: list[Any] = []

    async def run(route: Route) -> None:
        sent.append(route.request.post_data_json)
        if "DELETE" in sent[-1]["query"]:
            problem = {"title": "Refused", "detail": "the query writes", "remedy": "only read"}
            await route.fulfill(status=403, json=problem)
            return
        node = {"id": "n1", "name": "<b>Kenya", "labels": ["Country"], "properties": {}}
        await route.fulfill(json={"columns": ["n", "many"], "rows": [[node, 3]], "cut": ""})

    async with visit_kept(make_queried(), refusals=True) as page:
        await page.route("**/v1/cypher/run", run)
        await page.click("#edit-query")
        field, told = page.locator("#query"), page.locator(".asked-query [role=status]").first
        assert await field.input_value() == ':params {"v0":"Kenya"}\n\nMATCH (n) RETURN n'
        await page.click(".asked-query [type=submit]")
        await expect(told).to_have_text("1 row")
        assert sent == [{"query": "MATCH (n) RETURN n", "params": {"v0": "Kenya"}}]
        assert await page.locator(".asked-query tbody tr").all_inner_texts() == ["<b>Kenya\t3"]
        await field.fill("MATCH (n) DELETE n")
        await field.press("Control+Enter")
        await expect(told).to_have_text("the query writes. only read")
        assert await page.locator(".asked-query tbody").count() == 0
        await field.fill(":params {v0}\nRETURN 1")
        await field.press("Control+Enter")
        await expect(told).to_contain_text("must be JSON")
        assert len(sent) == 2


async def test_facts_that_no_query_found_have_one_that_reads_them(visit_kept: Visit) -> None:
    async with visit_kept(make_star(2)) as page:
        await page.click("#edit-query")
        first, query = (await page.input_value("#query")).split("\n\n", 1)
        facts = json.loads(first.removeprefix(":params "))["facts"]
        assert facts == [["n1", "IN_CONTINENT", "hub"], ["n2", "IN_CONTINENT", "hub"]]
        assert query.startswith("UNWIND $facts AS fact")


async def test_neo4j_browser_opens_the_query_where_a_setting_names_it(
    visit: Visit, browser: Browser, tmp_path: Path
) -> None:
    app = app_of(tmp_path, MemoryGraph(), neo4j_browser_url=BROWSER)
    async with listening(app) as address, browsing(browser, f"{address}/") as page:
        await ask(page, CAPITAL)
        link = page.locator("#open-browser")
        assert str(await link.get_attribute("href")).startswith(f"{BROWSER}?cmd=edit&arg=%3Aparams")
    async with visit() as page:
        await ask(page, CAPITAL)
        assert await page.locator("#open-browser").count() == 0


async def test_the_history_is_searched_and_answers_are_deleted(page: Page) -> None:
    for country in ("France", "Germany"):
        await ask(page, f"What is the capital of {country}?")
    await page.click("nav >> text=History")
    rows = page.locator("#history-rows li")
    await expect(rows).to_have_count(2)
    await expect(page.locator("#history-rows h2")).to_have_text(["Today"])
    await page.fill("#search", "germany")
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("Berlin")
    await page.fill("#search", "atlantis")
    await expect(page.locator("#history-told")).to_have_text("No question has these words.")
    await page.fill("#search", "")
    await expect(rows).to_have_count(2)
    await rows.first.locator("button").click()
    await expect(rows).to_have_count(1)
    await page.reload()
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("Paris")
    await page.click("#delete-all")
    await expect(rows).to_have_count(1)  # asked whether that is meant
    await page.click("#delete-all")
    await expect(page.locator("#history-told")).to_have_text("Nothing has been asked yet.")


async def test_a_row_keeps_the_focus_where_the_list_is_drawn_again(page: Page) -> None:
    await ask(page, CAPITAL)
    await page.click("nav >> text=History")
    row = page.locator("#history-rows a")
    await expect(row).to_have_count(1)
    drawn = await row.element_handle()
    assert drawn
    async with page.expect_response(lambda it: "query=france" in it.url):
        await page.fill("#search", "france")
        await row.focus()
    await expect(page.locator("#history-rows li")).to_have_count(1)
    await page.wait_for_function("(it) => !it.isConnected", arg=drawn)
    await expect(row).to_be_focused()


async def test_days_are_called_as_people_call_them(page: Page) -> None:
    told = await page.evaluate(
        """async () => {
          const { dayOf } = await import("/page/scripts/days.js");
          const now = new Date("2026-11-28T12:00:00");
          const days = ["2026-11-28T01:00:00", "2026-11-27T23:00:00", "2026-11-20T12:00:00"];
          return days.map((day) => dayOf(day, now));
        }"""
    )
    assert told == ["Today", "Yesterday", "Friday, 20 November 2026"]


async def test_a_new_question_clears_the_page_and_the_conversation(page: Page) -> None:
    await ask(page, CAPITAL)
    await ask(page, "And of Germany?")
    thread = page.locator("#thread li")
    await expect(thread).to_have_text([f"{CAPITAL} Paris"])
    await thread.locator("a").click()
    await expect(page.locator("#answer .asked")).to_have_text(CAPITAL)
    await page.click("#anew")
    assert await page.input_value("#question") == ""
    for part in ("#answer", "#thread", "#follows"):
        assert await page.locator(part).is_hidden()
    assert page.url.endswith("#/ask")
    assert await page.locator("#starters").is_visible()
    async with page.expect_request("**/v1/questions") as asked:
        await ask(page, CAPITAL)
    assert (await asked.value).post_data_json == {"question": CAPITAL}


async def test_names_and_kinds_complete_what_is_typed(page: Page) -> None:
    await page.wait_for_selector("#starters button")
    await page.focus("#question")
    await page.keyboard.type("What is the capital of Fra")
    items = page.locator("#suggestions li")
    await expect(items).to_have_count(1)
    await expect(page.locator("#question")).to_have_attribute("aria-expanded", "true")
    await page.keyboard.press("ArrowDown")
    await expect(items).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("Enter")
    assert await page.input_value("#question") == "What is the capital of France"
    await expect(page.locator("#suggestions")).to_be_hidden()
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#answer .names")
    assert await names_in(page) == ["Paris"]
    await page.fill("#question", "")
    await page.keyboard.type("Thin")
    await expect(items).to_have_text(["thingkind"])
    await page.keyboard.press("Escape")
    await expect(page.locator("#suggestions")).to_be_hidden()


async def test_a_name_with_two_meanings_can_be_read_the_other_way(visit_kept: Visit) -> None:
    kept = make_star(1)
    [mention] = kept["mentions"]
    other = {"id": "club", "name": "Africa", "labels": ["FootballClub"], "score": 0.95}
    other["how"] = "exact"
    mention["links"].append(other)
    async with visit_kept(kept, refusals=True) as page:
        choice = page.locator(".others button")
        await expect(choice).to_have_text("Africa (football club)")
        async with page.expect_request("**/v1/questions") as asked:
            await choice.click()
        sent = (await asked.value).post_data_json
        assert sent == {"question": kept["question"], "topics": ["club"]}


async def test_two_windows_keep_their_keys_and_their_questions_apart(
    browser: Browser, tmp_path: Path
) -> None:
    app = app_of(tmp_path, MemoryGraph(), require_keys=True)
    async with listening(app) as address:
        window = await browser.new_context()
        pages = [await window.new_page() for _ in range(2)]
        for name, page in zip("ab", pages, strict=True):
            await page.goto(f"{address}/")
            await give_key(page, str(await app.state.guard.keys.create_key(name, ["ask"])))
        await ask(pages[0], CAPITAL)
        await pages[1].click("nav >> text=History")
        told = pages[1].locator("#history-told")
        await expect(told).to_have_text("Nothing has been asked yet.")
        await window.close()


async def test_who_goes_offline_in_the_middle_is_told_and_can_go_on(visit: Visit) -> None:
    async with visit(refusals=True) as page:
        await page.wait_for_selector("#starters button")
        await page.context.set_offline(True)
        await send(page, CAPITAL)
        await expect(page.locator("#problem")).to_contain_text("cannot be reached")
        assert await page.input_value("#question") == CAPITAL
        await page.context.set_offline(False)
        await page.click("#send")
        await page.wait_for_selector("#answer .names")
        assert await names_in(page) == ["Paris"]


async def test_without_javascript_the_http_way_is_told(visit: Visit) -> None:
    async with visit(java_script_enabled=False) as page:
        await expect(page.get_by_text("This page needs JavaScript")).to_be_visible()
        await expect(page.get_by_text("/v1/questions")).to_be_visible()
    async with visit() as page:
        await page.wait_for_selector("#starters button")
        assert await page.locator("#no-script").count() == 0
