"""Answers as the store keeps them, and the page at one of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page

from memory_app import MemoryGraph, app_of, listening
from page.browsing import CAPITAL, browsing
from trellis.store.answers import Store


def make_answer(**fields: Any) -> dict[str, Any]:
    """An answer for which nothing was found, but for the fields that are given."""
    lists = ("answers", "evidence", "paths", "mentions", "candidates", "steps", "notes")
    answer = {"id": "kept", "question": CAPITAL, "method": "gcr"}
    return {**answer, "confidence": 0.9, "abstained": False, **{it: [] for it in lists}, **fields}


def make_star(count: int, name: str = "Country {}", label: str = "Country") -> dict[str, Any]:
    """An answer of `count` nodes that lie in one continent."""
    hub = {"id": "hub", "name": "Africa", "labels": ["Continent"]}
    nodes = [
        {"id": f"n{i}", "name": name.format(i), "labels": [label]} for i in range(1, count + 1)
    ]
    link = {**hub, "score": 1.0, "how": "exact"}
    edges = [
        {"source": node["id"], "target": "hub", "type": "IN_CONTINENT", "fact": at}
        for at, node in enumerate(nodes)
    ]
    return make_answer(
        question="Which countries are in Africa?",
        reading="what is in continent Africa",
        answers=[{**node, "score": 0.9, "paths": [at]} for at, node in enumerate(nodes)],
        evidence=[[node["name"], "IN_CONTINENT", "Africa"] for node in nodes],
        paths=[f"{node['name']} -IN_CONTINENT-> Africa" for node in nodes],
        subgraph={"nodes": [hub, *nodes], "edges": edges, "properties": []},
        mentions=[{"text": "Africa", "start": 23, "end": 29, "links": [link]}],
        choices=[],
    )


def make_chains(count: int) -> dict[str, Any]:
    """An answer whose facts are `count` nodes, two to a named one, that cannot be bundled."""
    answer = make_star(count)
    ids = [node["id"] for node in answer["answers"]]
    more = [
        {"source": one, "target": other, "type": "BORDERS", "fact": len(ids) + at}
        for at, (one, other) in enumerate(pairwise(ids))
    ]
    answer["subgraph"]["edges"] += more
    names = {node["id"]: node["name"] for node in answer["answers"]}
    answer["evidence"] += [[names[e["source"]], "BORDERS", names[e["target"]]] for e in more]
    return answer


@asynccontextmanager
async def opening_kept(
    browser: Browser, folder: Path, kept: dict[str, Any], **context: Any
) -> AsyncIterator[Page]:
    """The page at a kept answer, drawn where that has a subgraph."""
    store = Store.at(f"sqlite+aiosqlite:///{folder}/answers.db", "default")
    async with listening(app_of(folder, MemoryGraph())) as address:
        asked = kept.get("question") or kept["claim"]
        await store.save_answer(kept["id"], asked, kept.get("method", "-"), 0.1, kept)
        async with browsing(browser, f"{address}/#/answers/{kept['id']}", **context) as page:
            await page.wait_for_selector("#answer > *")
            if kept.get("subgraph", {}).get("edges"):
                await page.wait_for_selector(".picture[data-facts] canvas", state="attached")
            yield page
    await store.close()
