"""The page can be read: on a small screen, in the dark, and by a screen reader."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page

from page.browsing import CAPITAL, Visit, ask

SMALL = {"width": 360, "height": 740}
VIEWS = ("Ask", "History", "Schema")

# Each visible text with its colour and the first opaque colour behind it.
TEXTS = """() => {
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || !element.checkVisibility() || element.closest("script, option")) continue;
    seen.push([text, getComputedStyle(element).color, behind(element)]);
  }
  const field = document.querySelector("#question");
  const hint = getComputedStyle(field, "::placeholder").color;
  return [...seen, ["(placeholder)", hint, behind(field)]];
}"""

# What is focused or pressed, with the name that a screen reader says.
UNNAMED = """() => [...document.querySelectorAll("a, button, input, select, textarea, ul[role]")]
  .filter((it) => it.checkVisibility())
  .filter((it) => !(it.textContent.trim() || it.ariaLabel || it.labels?.length
                    || it.getAttribute("aria-labelledby")))
  .map((it) => it.outerHTML)"""


def read_colour(text: str) -> list[float]:
    return [float(part) for part in text[text.index("(") + 1 : -1].split(",")[:3]]


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in read_colour(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(ink: str, paper: str) -> float:
    light, dark = sorted((luminance(ink), luminance(paper)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


async def all_states(page: Page) -> Any:
    """The page in each of its states, one after the other."""
    await page.wait_for_selector("#starters button")
    yield "start"
    await page.keyboard.press("?")
    yield "keys"
    await page.keyboard.press("Escape")
    await ask(page, CAPITAL)
    await page.keyboard.press("ArrowDown")
    await page.click("#say-wrong")
    await page.click("#edit-query")
    await page.click("summary")
    yield "answer"
    await ask(page, "Как зовут столицу Атлантиды?")
    yield "silence"
    for view in ("History", "Schema"):
        await page.click(f"nav >> text={view}")
        await page.wait_for_selector(f"#{view.lower()} li")
        yield view


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_text_stands_out_and_every_control_has_a_name(
    visit: Visit, scheme: Any
) -> None:
    async with visit(color_scheme=scheme) as page:
        paper = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert (luminance(paper) < 0.1) is (scheme == "dark")
        async for state in all_states(page):
            texts = await page.evaluate(TEXTS)
            assert len(texts) > 8
            weak = [(text, ink, at) for text, ink, at in texts if contrast(ink, at) < 4.5]
            assert weak == [], state
            assert await page.evaluate(UNNAMED) == [], state
            ids = await page.evaluate("[...document.querySelectorAll('[id]')].map((it) => it.id)")
            assert len(ids) == len(set(ids)), state
            assert await page.locator("h1:visible").count() == 1, state


async def test_nothing_is_wider_than_a_small_screen(visit: Visit) -> None:
    async with visit(viewport=SMALL) as page:
        async for state in all_states(page):
            wide = await page.evaluate("document.documentElement.scrollWidth")
            assert wide == SMALL["width"], state


async def test_a_reader_is_told_of_the_list_and_not_of_the_canvas(page: Page) -> None:
    await ask(page, CAPITAL)
    told = await page.locator("main").aria_snapshot()
    assert 'listbox "Facts that the answer stands on"' in told
    assert 'option "France HAS_CAPITAL Paris"' in told
    assert await page.get_attribute(".picture", "aria-hidden") == "true"
    assert await page.locator(".picture [tabindex], .picture button").count() == 0


async def test_motion_stops_where_it_is_not_wanted(visit: Visit) -> None:
    async with visit(reduced_motion="reduce") as page:
        moving = "getComputedStyle(document.getElementById('status'), '::before').animationName"
        await page.evaluate("document.getElementById('ask').classList.add('busy')")
        assert await page.evaluate(moving) == "none"
