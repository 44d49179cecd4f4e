"""`trellis ask` and `trellis chat` against a running service, as somebody at a keyboard sees it."""

from __future__ import annotations

import asyncio
import io
import json
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from memory_app import HeldModel, MemoryGraph, app_of, listening, opener
from trellis import Client
from trellis.cli.answering.asking import InProcessClient
from trellis.cli.answering.telling import show_whole_answer, wait_for_answer
from trellis.cli.terminal import Terminal
from trellis.settings import Settings
from trellis_command import TRELLIS, build_environment

QUESTION = "What is the capital of France?"


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with listening(app_of(tmp_path, MemoryGraph())) as address:
        yield address


@asynccontextmanager
async def started(*arguments: str, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A `trellis` command of no settings but these, its pipes open."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        TRELLIS,
        *arguments,
        env={**build_environment(), **more},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        preexec_fn=_as_from_a_terminal,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _as_from_a_terminal() -> None:
    """Ctrl-C ends a command, also where the tests run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


async def run(*arguments: str, says: str = "", **more: str) -> tuple[int | None, str, str]:
    """Exit code, standard output and standard error of a command."""
    async with asyncio.timeout(600), started(*arguments, **more) as process:
        out, err = await process.communicate(says.encode())
        return process.returncode, out.decode(), err.decode()


@pytest.mark.slow
async def test_ask_asks_the_service_and_prints_plain_text(url: str) -> None:
    code, out, err = await run("ask", QUESTION, "--url", url)
    assert (code, err) == (0, "")
    assert re.match(r"understood as: the capital of France \(\d+% sure\)\nParis\n", out)
    assert "  France -HAS_CAPITAL-> Paris\n" in out
    assert "\x1b" not in out


@pytest.mark.slow
async def test_ask_is_short_and_tells_all_with_steps(url: str) -> None:
    _, short, _ = await run("ask", QUESTION, "--url", url)
    _, whole, _ = await run("ask", QUESTION, "--url", url, "--steps")
    assert "share" not in short
    assert whole.startswith(short.splitlines()[0])
    assert re.search(r"^step +ms +share$", whole, re.MULTILINE)


@pytest.mark.slow
async def test_quiet_prints_the_answers_alone(url: str) -> None:
    assert await run("ask", "Who speaks French?", "-q", "--url", url) == (0, "Canada\nFrance\n", "")
    assert await run("ask", "Who is it?", "--quiet", "--url", url) == (0, "", "")
    claim = "The capital of France is Berlin."
    assert await run("verify", claim, "--quiet", "--url", url) == (0, "refuted\n", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ask", QUESTION], 0),
        (["ask", "Who is it?"], 3),
        (["ask", "Who is it?", "--json"], 3),
        (["verify", "The capital of France is Berlin.", "--quiet"], 4),
    ],
)
async def test_an_exit_code_tells_how_it_ended_where_that_is_asked_for(
    url: str, arguments: list[str], code: int
) -> None:
    assert (await run(*arguments, "--url", url))[0] == 0
    assert (await run(*arguments, "--url", url, "--exit-code"))[0] == code


@pytest.mark.slow
async def test_json_is_what_the_api_answers_here_as_there(url: str, tmp_path: Path) -> None:
    code, out, _ = await run("ask", QUESTION, "--json", TRELLIS_URL=url)
    assert code == 0
    async with httpx.AsyncClient(base_url=url) as client:
        assert json.loads(out) == (await client.get("/v1/answers/latest")).json()
    settings = Settings(store_url=f"sqlite+aiosqlite:///{tmp_path}/other.db", _env_file=None)
    async with opener(MemoryGraph())(settings) as trellis_app:
        answer = await wait_for_answer(
            InProcessClient(trellis_app).stream(QUESTION), Terminal(quiet=True), tells_steps=True
        )
    assert json.loads(answer.model_dump_json(exclude_none=True)).keys() == json.loads(out).keys()


async def test_on_a_terminal_it_tells_how_far_it_is(url: str) -> None:
    out = io.StringIO()
    console = Terminal(file=out, force_terminal=True, no_color=True, width=100)
    async with Client(url) as client:
        show_whole_answer(
            await wait_for_answer(client.stream(QUESTION), console, tells_steps=True), console
        )
    said = out.getvalue()
    steps = ["France → France", "France -> HAS_CAPITAL  ", "-HAS_CAPITAL-> Paris", "ground"]
    places = [said.index(step) for step in steps]
    assert places == sorted(places)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["ask", ""], 1, "the question is empty"),
        (["ask", QUESTION, "--method", "guess"], 1, "use one of: auto, graphraft"),
        (["ask", QUESTION, "--topics", "Atlantis"], 1, "Atlantis"),
        (["ask", QUESTION, "--limit", "0"], 2, "limit"),
        (["ask", QUESTION, "--json", "--quiet"], 2, "does not go with --json"),
        (["ask", QUESTION, "--method", "guess", "--exit-code"], 1, "use one of"),
        (["ask", QUESTION, "--model", "here"], 2, "a model of its own"),
        (["chat", "--nothing"], 2, "--nothing"),
    ],
)
async def test_bad_input_is_told_and_ends_in_its_exit_code(
    url: str, arguments: list[str], code: int, said: str
) -> None:
    ended, out, err = await run(*arguments, "--url", url)
    assert (ended, out) == (code, "")
    assert said in err
    assert code == 2 or (err.startswith("trellis: ") and err.count("\n") == 1)


@pytest.mark.slow
async def test_a_setting_that_cannot_be_used_is_named() -> None:
    code, _, err = await run("ask", QUESTION, TRELLIS_WIDTH="wide")
    assert code == 1
    assert err.startswith("trellis: TRELLIS_WIDTH: ")
    assert err.count("\n") == 1


@pytest.mark.slow
async def test_a_service_that_is_not_there_is_told_in_one_line() -> None:
    code, out, err = await run("ask", QUESTION, "--url", "http://127.0.0.1:9")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "trellis serve" in err


@pytest.mark.slow
async def test_chat_keeps_asking(url: str) -> None:
    lines = [
        *("/evidence", QUESTION, "/evidence"),
        *("/method", "/method guess", "/method stem", "/method gcr", "/dance", "?!", ""),
        *("The capital of Germany?", "/help", "/quit", "never asked"),
    ]
    code, out, err = await run("chat", "--url", url, says="\n".join(lines))
    assert (code, err) == (0, "")
    told_in_order = [
        "nothing was asked yet",
        "understood as: the capital of France (",
        "Paris\n",
        "France -HAS_CAPITAL-> Paris",
        "tried France -> HAS_CAPITAL",
        "→  auto",
        "not ready",
        "there is no method guess",
        "stem is not ready: no model does task 'assertion'",
        "→  gcr        ready",
        "there is no /dance",
        "the question is empty",
        "Berlin\n",
        "Ctrl-C stops a question",
    ]
    at = 0
    for text in told_in_order:
        at = out.index(text, at)
    async with Client(url) as client:
        asked = [one.question for one in (await client.list_answers()).answers]
    assert asked == ["The capital of Germany?", QUESTION]


@pytest.mark.slow
async def test_chat_remembers_what_was_asked_before(url: str) -> None:
    lines = [QUESTION, "And of Germany?", "/new", "And of Germany?"]
    code, out, err = await run("chat", "--url", url, says="\n".join(lines))
    assert (code, err) == (0, "")
    assert "asked as: What is the capital of Germany?\n" in out
    assert out.count("asked as") == 1
    assert "Berlin\n" in out


@pytest.mark.slow
async def test_ctrl_c_stops_the_question_and_ctrl_d_ends_the_chat(tmp_path: Path) -> None:
    model = HeldModel()
    async with (
        listening(app_of(tmp_path, MemoryGraph(), lambda: model)) as url,
        asyncio.timeout(600),
        started("chat", "--url", url) as chat,
    ):
        assert chat.stdin
        chat.stdin.write(f"{QUESTION}\n".encode())
        await model.until(lambda: model.waiting == 1)
        chat.send_signal(signal.SIGINT)
        await model.until(lambda: model.left == 1)
        model.go.set()
        out, err = await chat.communicate(b"The capital of Germany?\n")
    assert (chat.returncode, err) == (0, b"")
    assert out.decode().startswith("stopped\nunderstood as: the capital of Germany (")
    assert "\nBerlin\n" in out.decode()
