"""Names and texts of the graph are shown as the texts that they are, whatever they hold; those of
the evidence are quoted, with their place, marked, and inside their text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, Route, expect

from memory_app import MemoryGraph
from page.browsing import CAPITAL, Visit, ask, names_in
from trellis.domain.graphs.facts import Fact, PropertyFact
from trellis.domain.graphs.graph import Node
from trellis.domain.replies.reply import Answer, Reply
from trellis.wire.bodies import ReplyBody

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


QUESTION = "Which mill made the paper of the atlas?"
ATLAS = Node("4:a:1", "Harbour Atlas", ("Book",))
SAID = "🧭 Its papers came from a mill <img src=x onerror=alert(1)> in Lillehammer."
PASSAGE = PropertyFact(ATLAS, "text`s", SAID, 6_776, 3_192)
WHOLE = PropertyFact(
    ATLAS, "note", "Kept in a chest of oak, wrapped in the paper of another atlas."
)


@asynccontextmanager
async def showing(
    visit_kept: Visit, texts: Sequence[PropertyFact], answer: Node = ATLAS
) -> AsyncIterator[Page]:
    """The page at a kept answer that stands on texts."""
    facts = tuple(Fact.of_statements((), (text,)) for text in texts)
    reply = Reply(QUESTION, "graphraft", (Answer(answer, 0.9, (0,)),), facts, 0.9, False)
    body = ReplyBody.of("texts", reply).model_dump(mode="json", exclude_none=True)
    async with visit_kept(body, refusals=True) as page:
        await page.wait_for_selector("#answer .facts li")
        yield page


async def test_a_text_is_quoted_with_its_place_and_the_questions_words(visit_kept: Visit) -> None:
    async with showing(visit_kept, [PASSAGE, WHOLE]) as page:
        passage, whole = await page.locator(".facts li").all()
        await expect(passage.locator(".source")).to_have_text(
            "Harbour Atlas, text`s, starting at character 3,192 of 6,776"
        )
        await expect(passage.locator("blockquote")).to_have_text(f"“…{SAID}…”")
        assert await passage.locator("mark").all_inner_texts() == ["papers", "mill"]
        await expect(whole.locator(".source")).to_have_text("Harbour Atlas, note")
        await expect(whole.locator("blockquote")).to_have_text(f"“{WHOLE.value}”")
        assert await whole.locator("mark").all_inner_texts() == ["paper", "atlas"]
        assert await page.locator("#answer img").count() == 0
        assert await page.locator("#answer .names blockquote").count() == 0


async def test_a_passage_is_marked_inside_its_text(visit_kept: Visit) -> None:
    asked: list[object] = []
    text = f"His daughter printed it. {SAID} Every chart shows the depth."

    async def give_text(route: Route) -> None:
        asked.append(route.request.post_data_json)
        await route.fulfill(json={"columns": ["text"], "rows": [[text]]})

    async with showing(visit_kept, [PASSAGE, WHOLE]) as page:
        await page.route("**/v1/cypher/run", give_text)
        passage, whole = await page.locator(".facts li").all()
        button = page.get_by_text("Show the text around it")
        await expect(button).to_be_hidden()
        await whole.click()
        await expect(button).to_be_hidden()
        await passage.click()
        await button.click()
        around = page.locator(".around")
        await expect(around).to_have_text(f"…{text}…")
        assert await around.locator("mark").all_inner_texts() == [SAID]
        [sent] = asked
        assert isinstance(sent, dict)
        assert "n.`text``s`" in sent["query"]
        assert sent["params"] == {"node": ATLAS.id, "from": 1_692, "size": 3_000 + len(SAID)}
        await whole.click()
        await expect(around).to_be_hidden()
        text = "It was written anew."
        await passage.click()
        await button.click()
        await expect(around).to_have_text("The text has changed since the question was answered.")


async def test_where_the_text_cannot_be_read_it_is_said(visit_kept: Visit) -> None:
    async with showing(visit_kept, [PASSAGE]) as page:
        await page.route("**/v1/cypher/run", lambda route: route.abort())
        await page.click(".facts li")
        await page.get_by_text("Show the text around it").click()
        await expect(page.locator(".around")).to_contain_text("the service cannot be reached")


async def test_words_of_a_text_as_the_answer_are_a_quote(visit_kept: Visit) -> None:
    async with showing(visit_kept, [PASSAGE], Node("", SAID)) as page:
        await expect(page.locator("#answer .names blockquote")).to_have_text(f"“{SAID}”")
