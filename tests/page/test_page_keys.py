"""The page is used by keys alone."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, Page, expect

from memory_app import MemoryGraph
from page.browsing import CAPITAL, ask, visiting

NEIGHBOURS = tuple(("France", "BORDERS", f"Land {number}") for number in range(1, 121))
BORDERS = "Which lands are BORDERS of France?"


async def focused(page: Page) -> str:
    return str(await page.evaluate("document.activeElement.textContent"))


async def test_arrows_walk_the_facts_and_the_picture_follows(
    browser: Browser, tmp_path: Path
) -> None:
    async with visiting(browser, tmp_path, MemoryGraph(NEIGHBOURS)) as page:
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


async def test_the_list_holds_fifty_nodes_and_then_more(browser: Browser, tmp_path: Path) -> None:
    async with visiting(browser, tmp_path, MemoryGraph(NEIGHBOURS)) as page:
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
