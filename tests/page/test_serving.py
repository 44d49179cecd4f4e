"""How the page is served: whole, from the disk, and to nobody's frame."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from playwright.async_api import Browser
from starlette.routing import Route

from memory_app import MemoryGraph, app_of, listening, served
from page.browsing import CAPITAL
from trellis import page as page_package
from trellis.store.answers import Store

FOLDER = Path(page_package.__file__).parent
VENDORED = FOLDER / "static" / "vendor"
OWN = [
    file
    for file in sorted(FOLDER.rglob("*"))
    if file.suffix in {".html", ".js", ".css", ".svg"} and VENDORED not in file.parents
]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with served(tmp_path, MemoryGraph()) as opened:
        yield opened


def test_what_is_vendored_is_what_its_checksums_say() -> None:
    lines = (VENDORED / "SHA256SUMS").read_text().splitlines()
    said = dict(reversed(line.split("  ")) for line in lines)
    files = [file for file in VENDORED.iterdir() if file.name != "SHA256SUMS"]
    assert said == {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(files)
    }


def test_every_vendored_library_has_its_version_and_its_licence() -> None:
    for file in VENDORED.glob("*.js"):
        name, version = re.fullmatch(r"([a-z-]+)-(\d+\.\d+\.\d+)\.js", file.name).groups()  # type: ignore[union-attr]
        assert "Permission is hereby granted" in (VENDORED / f"{name}-LICENSE").read_text()
        assert f'version="{version}"' in file.read_text() or name != "cytoscape"


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.name)
def test_own_files_are_short_and_name_no_other_host_and_no_style_or_script_in_markup(
    file: Path,
) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text)
    assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=\"|\sstyle=\"", text)


def test_every_script_is_asked_for_at_once() -> None:
    page = (FOLDER / "index.html").read_text(encoding="utf-8")
    asked = re.findall(r'(?:modulepreload" href|script type="module" src)="([^"]+)"', page)
    static = FOLDER / "static"
    own = {f"page/{it.relative_to(static)}" for it in (static / "scripts").rglob("*.js")}
    vendored = {f"page/vendor/{file.name}" for file in VENDORED.glob("*.js")}
    assert own | {it for it in vendored if "cytoscape" not in it} == set(asked)


async def test_every_file_of_the_page_is_served_with_its_type_and_policy(
    client: httpx.AsyncClient,
) -> None:
    types = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for file in (FOLDER / "static").rglob("*.*"):
        address = f"/page/{file.relative_to(FOLDER / 'static').as_posix()}"
        response = await client.get(address)
        assert response.content == file.read_bytes()
        assert response.headers["content-type"].split(";")[0] == types[file.suffix]
        assert_guarded(response)
    page = await client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert_guarded(page)


def assert_guarded(response: httpx.Response) -> None:
    policy = dict(
        rule.strip().split(" ", 1)
        for rule in response.headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cross-origin-resource-policy"] == "same-origin"


async def test_a_browser_is_shown_a_page_where_there_is_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    async with listening(app_of(tmp_path, MemoryGraph())) as address:
        window = await browser.new_context()
        page = await window.new_page()
        response = await page.goto(f"{address}/v1/answers-of-yesterday")
        assert response is not None
        assert response.status == 404
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert await page.locator("h1").inner_text() == "There is nothing at this address"
        await page.click("text=Ask a question")
        await page.wait_for_selector("#question")
        await window.close()


async def test_a_file_travels_packed_and_is_asked_for_once(client: httpx.AsyncClient) -> None:
    library = "/page/vendor/cytoscape-3.34.4.js"
    async with client.stream("GET", library, headers={"accept-encoding": "gzip"}) as response:
        sent = sum([len(part) async for part in response.aiter_raw()])
        assert response.headers["content-encoding"] == "gzip"
        assert "immutable" in response.headers["cache-control"]
    assert sent < 140_000
    again = await client.get(
        "/", headers={"if-none-match": (await client.get("/")).headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/page/", "/page/nothing.js", "/page/..%2f__init__.py", "/page/%00", "/page/vendor"]
)
async def test_what_is_not_there_is_a_problem_as_elsewhere(
    client: httpx.AsyncClient, path: str
) -> None:
    response = await client.get(path)
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["remedy"]


async def test_the_page_is_only_read(client: httpx.AsyncClient) -> None:
    for path in ("/", "/page/scripts/main.js"):
        assert (await client.post(path)).status_code == 405
        assert (await client.head(path)).status_code == 200


async def test_swagger_goes_on_as_before(client: httpx.AsyncClient) -> None:
    docs = await client.get("/docs")
    assert docs.status_code == 200
    assert "content-security-policy" not in docs.headers
    assert "/" not in (await client.get("/openapi.json")).json()["paths"]


# What a page of another origin may try: to read, and to ask and tell without being allowed to read.
INTRUDE = """async ([address, question]) => {
  const said = [];
  const attempt = async (what) => said.push(await what().then((it) => it.type, () => "refused"));
  await attempt(() => fetch(`${address}/v1/answers`));
  await attempt(() => fetch(`${address}/`));
  await attempt(() => import(`${address}/page/scripts/service.js`));
  const send = (path, body) =>
    fetch(`${address}/v1/${path}`, {method: "POST", mode: "no-cors", body: JSON.stringify(body)});
  await attempt(() => send("questions", {question}));
  await attempt(() => send("answers/latest/feedback", {right: false}));
  return said;
}"""


async def test_a_page_of_another_origin_gets_and_does_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    async with listening(app_of(tmp_path, MemoryGraph())) as address:
        async with httpx.AsyncClient(base_url=address) as client:
            await client.post("/v1/questions", json={"question": CAPITAL})
        framing = HTMLResponse(f'<iframe src="{address}/"></iframe>')
        async with listening(FastAPI(routes=[Route("/", framing)])) as foreign:
            window = await browser.new_context()
            page = await window.new_page()
            await page.goto(foreign)
            assert await page.frames[1].locator("#question").count() == 0
            told = await page.evaluate(INTRUDE, [address, CAPITAL])
            assert told == [*["refused"] * 3, "opaque", "opaque"]
            await window.close()
    store = Store.at(f"sqlite+aiosqlite:///{tmp_path}/answers.db", "default")
    [kept] = await store.list_answers(5)  # what was sent from there was not taken
    assert await store.list_feedback(kept.id) == []
    await store.close()
