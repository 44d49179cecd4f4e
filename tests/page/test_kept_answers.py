"""Answers of the store are shown whole: their queries, their methods, claims, old ones; rows as a
table that is sorted, cut with its total, and taken along."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.async_api import Page, expect

from page.browsing import Visit
from page.kept import make_answer

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


async def test_c_copies_the_query_with_its_parameters(visit_kept: Visit) -> None:
    rights = ["clipboard-read", "clipboard-write"]
    async with visit_kept(QUERIED, permissions=rights) as page:
        await page.keyboard.press("c")
        await expect(page.locator("#copy-query")).to_have_text("Copied")
        copied = await page.evaluate("navigator.clipboard.readText()")
        assert copied == f':params {{"v0":"France <b>"}}\n\n{QUERY}'


async def test_a_query_is_selected_where_it_may_not_be_copied(visit_kept: Visit) -> None:
    async with visit_kept(QUERIED) as page:
        await page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        await page.keyboard.press("c")
        await expect(page.locator("#status")).to_have_text("Selected. Copy it with Ctrl+C.")
        assert QUERY in await page.evaluate("String(getSelection())")


async def test_the_methods_that_were_asked_are_told_with_the_reason(visit_kept: Visit) -> None:
    async with visit_kept(QUERIED) as page:
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


async def test_an_answer_of_long_ago_is_drawn_by_its_names(visit_kept: Visit) -> None:
    async with visit_kept(OLD) as page:
        await page.wait_for_selector(".picture[data-facts='1'] canvas", state="attached")
        [fact] = await page.locator(".facts [role=option]").all()
        assert await fact.get_attribute("title") == "France HAS_CAPITAL Paris"


async def test_what_is_held_back_says_why(visit_kept: Visit) -> None:
    async with visit_kept(HELD) as page:
        await expect(page.locator("#answer h2")).to_have_text(
            "What was found does not answer the question"
        )
        await expect(page.locator("#answer")).to_contain_text("It leaves out “tall”.")
        await expect(page.locator(".nearest")).to_contain_text("Paris")
        excerpt = page.locator(".nearest .excerpt")
        await expect(excerpt).to_have_text("“A city <b>on</b> the Seine.”")


async def test_a_claim_is_shown_with_its_verdict(visit_kept: Visit) -> None:
    async with visit_kept(CLAIM) as page:
        await expect(page.locator("#answer h2")).to_have_text("Supported by the graph")
        assert await page.input_value("#question") == CLAIM["claim"]
        assert await page.locator(".facts [role=option]").count() == 1
        assert await page.locator("#follows").is_hidden()


HOSTILE = "<img src=x onerror=alert(1)> =cmd()"
COUNTRIES = (("Guyana", 820_000, 1966), (HOSTILE, 45_600_000, 1810), ("Atlantis", None, None))


def make_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], **more: Any) -> Any:
    """An answer of rows, each of which begins with the name of a node."""
    answers = [{"name": row[0], "id": f"n{i}", "score": 0.9} for i, row in enumerate(rows)]
    nodes = [
        [{"type": "node", "id": f"n{i}", "name": row[0], "labels": ["Country"]}, *row[1:]]
        for i, row in enumerate(rows)
    ]
    return make_answer(
        method="graphraft", answers=answers, columns=list(columns), rows=nodes, **more
    )


async def read_column(page: Page, place: int) -> list[str]:
    cells = page.locator(f"#answer tbody tr > :nth-child({place})")
    return [str(text) for text in await cells.all_inner_texts()]


async def test_rows_are_a_table_that_its_heads_sort(visit_kept: Visit) -> None:
    answer = make_table(("country", "population", "independence year"), COUNTRIES)
    async with visit_kept(answer) as page:
        assert await page.locator("#answer thead bdi").all_inner_texts() == [
            "country",
            "population",
            "independence year",
        ]
        assert await read_column(page, 2) == ["820,000", "45,600,000", ""]
        assert await read_column(page, 3) == ["1966", "1810", ""]
        aligned = "getComputedStyle(document.querySelector('#answer tbody td')).textAlign"
        assert await page.evaluate(aligned) == "right"
        head = page.locator("#answer th", has_text="population")
        await head.locator("button").click()
        await expect(head).to_have_attribute("aria-sort", "descending")
        assert await read_column(page, 2) == ["45,600,000", "820,000", ""]
        await page.keyboard.press("Enter")
        await expect(head).to_have_attribute("aria-sort", "ascending")
        assert await read_column(page, 1) == ["Guyana", HOSTILE, "Atlantis"]
        await page.click("#answer th >> text=country")
        await expect(head).to_have_attribute("aria-sort", "none")
        assert await read_column(page, 1) == [HOSTILE, "Atlantis", "Guyana"]


async def test_every_kind_of_cell_is_shown_as_people_write_it(visit_kept: Visit) -> None:
    cells = {
        "area (km²)": (214970.0, "214,970"),
        "average population": (27139444.4444, "27,139,444.44"),
        "share": (0.000123456, "0.000123"),
        "member": (True, "yes"),
        "founded": ({"type": "date", "value": "1966-05-26"}, "1966-05-26"),
        "place": ({"type": "point", "srid": 4326, "x": 2.5, "y": 48.8}, "48.8, 2.5"),
        "cities": (["a", "b"], "a, b"),
        "numbers": (list(range(12)), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 2 more"),
        "height": ({"type": "float", "value": "nan"}, "nan"),
        "note": ("W" * 5_000, "W" * 300 + "…"),
    }
    row = ["Guyana", *(cell for cell, _ in cells.values())]
    answer = make_table(["country", *cells], [row])
    size = {"width": 360, "height": 740}
    async with visit_kept(answer, viewport=size) as page:
        shown = await page.locator("#answer tbody td").all_inner_texts()
        assert dict(zip(cells, shown, strict=True)) == {it: text for it, (_, text) in cells.items()}
        assert await page.evaluate("document.documentElement.scrollWidth") == 360


async def test_a_cut_table_says_its_total(visit_kept: Visit) -> None:
    rows = [(f"Country {i}", i) for i in range(120)]
    answer = make_table(("country", "rank"), rows, total=193)
    async with visit_kept(answer) as page:
        note = page.locator("#answer .table p")
        await expect(note).to_have_text("Showing 50 of 193")
        await page.click("text=Show more (70 rows left)")
        await page.click("text=Show more (20 rows left)")
        await expect(note).to_have_text("Showing 120 of 193")
        await expect(page.locator("#answer .table > button")).to_be_hidden()


async def test_ten_thousand_rows_of_lists_show_the_first(visit_kept: Visit) -> None:
    cells = [[number, "x" * 20] for number in range(2)]
    rows = [(f"Country {i}", i, *([cells] * 10)) for i in range(10_000)]
    answer = make_table(tuple(f"column {i}" for i in range(12)), rows)
    async with visit_kept(answer) as page:
        await expect(page.locator("#answer .table p")).to_have_text("Showing 50 of 10,000")
        await page.click("#answer th >> text=column 1")
        assert (await read_column(page, 2))[:2] == ["9,999", "9,998"]


@pytest.mark.parametrize("kind", ["CSV", "JSON"])
async def test_rows_are_saved(visit_kept: Visit, kind: str) -> None:
    answer = make_table(("country", "population", "independence year"), COUNTRIES)
    async with visit_kept(answer) as page:
        async with page.expect_download() as saving:
            await page.click(f".export button >> text={kind}")
        saved = await saving.value
        assert saved.suggested_filename == f"answer.{kind.lower()}"
        text = (await saved.path()).read_bytes().decode("utf-8-sig")
        await expect(page.locator(".export [role=status]")).to_have_text(
            f"Saved as answer.{kind.lower()}"
        )
    if kind == "CSV":
        assert list(csv.reader(io.StringIO(text, newline=""))) == [
            ["country", "population", "independence year"],
            ["Guyana", "820000", "1966"],
            [HOSTILE, "45600000", "1810"],
            ["Atlantis", "", ""],
        ]
    else:
        told = json.loads(text)
        assert (told["columns"], len(told["rows"])) == (answer["columns"], 3)
        assert told["rows"][0] == answer["rows"][0]


async def test_one_column_stays_a_list_of_names(visit_kept: Visit) -> None:
    answer = make_table(("country",), [(f"Country {i}",) for i in range(40)], total=193)
    async with visit_kept(answer) as page:
        note = page.locator("#answer .listed [role=status]")
        await expect(page.locator("#answer h2")).to_have_text("193 countries")
        await expect(note).to_have_text("Showing 30 of 193")
        await page.click("text=Show all 40 names")
        await expect(page.locator("#answer .names li")).to_have_count(40)
        await expect(note).to_have_text("Showing 40 of 193")
        assert await page.locator("#answer table").count() == 0
