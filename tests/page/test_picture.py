"""The picture of the facts: all inside its frame, no label on another, many of a kind as one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from page.browsing import Visit, ask
from page.kept import make_chains, make_star
from page.test_looks import contrast

SIZES = {"small": {"width": 360, "height": 740}, "large": {"width": 1280, "height": 900}}

LONG_NAMES = (
    "W" * 5_000 + "{}",
    "القاهرة " * 40 + "{}",
    "Z\u0301\u0302\u0303" * 500 + "{}",
    "家族" * 90 + "{}",
)

# What is drawn, as the drawing library knows it: labels with their boxes in pixels of the frame.
DRAWN = """() => {
  const frame = document.querySelector(".picture");
  const drawing = frame._cyreg.cy;
  const box = (it, options) => {
    const { x1, y1, x2, y2 } = it.renderedBoundingBox(options);
    return [x1, y1, x2, y2];
  };
  const labels = { includeNodes: false, includeEdges: false, includeLabels: true };
  return {
    size: [frame.clientWidth, frame.clientHeight],
    all: box(drawing.elements(), {}),
    zoom: drawing.zoom(),
    nodes: drawing.nodes().map((it) => ({ label: it.data("label"), box: box(it, labels) })),
    edges: drawing.edges().map((it) => it.data("label")),
  };
}"""


async def read_drawing(page: Page) -> Any:
    return await page.evaluate(DRAWN)


def is_inside(drawn: Any) -> bool:
    (width, height), (left, top, right, bottom) = drawn["size"], drawn["all"]
    return bool(0 <= left <= right <= width and 0 <= top <= bottom <= height)


def overlap(one: list[float], other: list[float]) -> bool:
    """Whether two boxes share more than a pixel."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width > 1 and height > 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 10, 50, 200])
@pytest.mark.parametrize("shape", [make_star, make_chains])
async def test_all_is_inside_its_frame_and_no_label_lies_on_another(
    visit_kept: Visit, shape: Any, count: int, size: str
) -> None:
    async with visit_kept(shape(count), viewport=SIZES[size]) as page:
        drawn = await read_drawing(page)
        assert is_inside(drawn)
        boxes = [node["box"] for node in drawn["nodes"]]
        pairs = [(a, b) for at, a in enumerate(boxes) for b in boxes[at + 1 :]]
        assert [pair for pair in pairs if overlap(*pair)] == []
        assert await page.evaluate("document.documentElement.scrollWidth") == SIZES[size]["width"]


async def test_many_of_a_kind_are_one_node_until_each_is_wanted(visit_kept: Visit) -> None:
    async with visit_kept(make_star(193)) as page:
        labels = {node["label"] for node in (await read_drawing(page))["nodes"]}
        assert labels == {"Africa", "193 countries"}
        await expect(page.locator("#answer h2")).to_have_text("193 countries")
        await page.click("text=Show every node")
        await expect(page.locator(".tools [aria-pressed=true]")).to_have_count(1)
        assert len((await read_drawing(page))["nodes"]) == 194
        await page.click("text=Show every node")
        await expect(page.locator(".tools [aria-pressed=false]")).to_have_count(1)
        assert len((await read_drawing(page))["nodes"]) == 2


async def test_few_are_drawn_one_by_one_and_the_relation_is_named_once(visit_kept: Visit) -> None:
    async with visit_kept(make_star(10)) as page:
        drawn = await read_drawing(page)
        assert len(drawn["nodes"]) == 11
        assert [label for label in drawn["edges"] if label] == ["in continent"]
        assert await page.locator("text=Show every node").is_hidden()


async def test_the_chosen_fact_of_a_bundle_stands_out(visit_kept: Visit) -> None:
    async with visit_kept(make_star(50)) as page:
        await page.keyboard.press("ArrowDown")
        await expect(page.locator(".picture")).to_have_attribute("data-chosen", "0")
        chosen = "document.querySelector('.picture')._cyreg.cy.$('edge.chosen').length"
        assert await page.evaluate(chosen) == 1


async def test_the_picture_is_zoomed_and_fitted_by_buttons(visit_kept: Visit) -> None:
    async with visit_kept(make_star(10)) as page:
        before = (await read_drawing(page))["zoom"]
        await page.click("[aria-label='Zoom in']")
        assert (await read_drawing(page))["zoom"] > before
        await page.click("[aria-label='Zoom out']")
        await page.click("[aria-label='Zoom out']")
        assert (await read_drawing(page))["zoom"] < before
        await page.click(".tools >> text=Fit")
        assert (await read_drawing(page))["zoom"] == pytest.approx(before)


async def test_the_legend_names_the_kinds(visit_kept: Visit) -> None:
    async with visit_kept(make_star(3, label="SmallCountry")) as page:
        assert await page.locator(".legend li").all_inner_texts() == [
            "small country",
            "continent",
            "in the question",
            "answer",
        ]


async def test_names_of_any_length_and_script_stay_inside(visit_kept: Visit) -> None:
    for number, name in enumerate(LONG_NAMES):
        kept = {**make_star(12, name), "id": f"answer-{number}"}
        async with visit_kept(kept, viewport=SIZES["small"]) as page:
            assert is_inside(await read_drawing(page))
            assert await page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_colour_of_the_picture_stands_out(visit: Visit, scheme: Any) -> None:
    async with visit(color_scheme=scheme) as page:
        read = "(name) => getComputedStyle(document.documentElement).getPropertyValue(name)"
        names = ["--edge", "--accent", "--ink", *(f"--kind-{i}" for i in range(8))]
        paper = to_rgb(await page.evaluate(read, "--paper"))
        colours = {name: to_rgb(await page.evaluate(read, name)) for name in names}
        weak = {name: it for name, it in colours.items() if contrast(it, paper) < 3}
        assert weak == {}


def to_rgb(colour: str) -> str:
    parts = [int(part, 16) for part in re.findall("[0-9a-f]{2}", colour)]
    return f"rgb({', '.join(map(str, parts))})"


async def test_a_node_is_expanded_by_the_service(visit: Visit) -> None:
    async with visit(refusals=True) as page:
        await page.route("**/v1/cypher/run", _give_river)
        await ask(page, "What is the capital of France?")
        await page.keyboard.press("ArrowDown")
        await page.click("text=Neighbours of France")
        await expect(page.locator(".evidence [role=status]")).to_have_text(
            "1 fact about France added to the picture."
        )
        labels = {node["label"] for node in (await read_drawing(page))["nodes"]}
        assert labels == {"France", "Paris", "Rhine <b>"}
        assert await page.locator(".facts [role=option]").count() == 1


async def _give_river(route: Route) -> None:
    other = {"id": "x", "name": "Rhine <b>", "labels": ["River"], "properties": {}}
    rows = [[False, "FLOWS_THROUGH", other]]
    await route.fulfill(json={"columns": ["leads", "relation", "other"], "rows": rows, "cut": ""})
