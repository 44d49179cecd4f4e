"""Whatever a name of the graph holds, a terminal only shows it, on the line where it stands."""

from __future__ import annotations

import ast
import asyncio
import io
import json
import unicodedata
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trellis.cli
from trellis.cli import progress
from trellis.cli.answering import cypher, telling, verify
from trellis.cli.answering.chat import Chat
from trellis.cli.operation import demo, keys
from trellis.cli.terminal import Terminal, echo, echo_csv, echo_json
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.printable import escape_json, quote_as_data
from trellis.domain.replies.reply import Answer, CandidateOutcome, Reply
from trellis.domain.structures.cypher import Rows, Verdict
from trellis.wire.bodies import ReplyBody
from trellis.wire.claims import ClaimBody
from trellis.wire.cypher import ExplanationBody, RowsBody
from trellis.wire.events import AnswerEvent, CandidatesEvent, ChainEvent, LinksEvent, QuestionEvent

ACTING = "\x00\x07\x08\t\n\r\x0b\x0c\x1b\x7f\x85\x9b\u061c\u200e\u2028\u2029\u202e\u2066\U000e0041"
MARKUP = ("[red]", "[/]", "\\", "`", ":cat:", "\x1b[2J", "\x1b]0;title\x07", "\nnote: all is well")
texts = st.lists(st.sampled_from((*ACTING, *MARKUP)) | st.characters(), max_size=8).map("".join)
names = texts.map(lambda text: f"a{text}z")


def make_reply(name: str, **more: object) -> ReplyBody:
    node, other = Node("1", name, (name,)), Node("2", f"{name}2")
    fact = Fact.of_triples([Triple(node, name, other)])
    reply = Reply(
        name,
        "graphraft",
        (Answer(node, 0.9, (0,)),),
        (fact,),
        0.9,
        False,
        mentions=(Mention(0, 1, name, (Link(node, 1.0, "exact"),)),),
        candidates=(CandidateOutcome(name, -0.1, None, problem=name, reading=name),),
        cypher=f"MATCH (n:`{name.replace('`', '``')}`)\nRETURN n",
        params={"v0": name, name: [name]},
        wording=name,
        notes=(name,),
        reading=name,
        asked=name,
    )
    return ReplyBody.of("1", reply).model_copy(update=more)


async def tell(name: str, answer: ReplyBody) -> AsyncGenerator[QuestionEvent]:
    yield LinksEvent(links=answer.mentions)
    yield ChainEvent(triples=[(name, name, name)], has_ended=False)
    yield CandidatesEvent(candidates=answer.candidates)
    yield AnswerEvent(answer=answer)


def show_answer(name: str, console: Terminal) -> None:
    answer = make_reply(name)
    telling.show_whole_answer(answer, console)
    demo._show_answer(console, answer, 1.0)
    table = make_reply(name, columns=[name, f"{name} 2"], rows=[[name, 1], [[name], 2]])
    telling.show_answers(table, console)
    telling.show_answers(make_reply(name, abstained=True, held_back=name), console)
    silent = make_reply(name, abstained=True, nearest=answer)
    telling.show_answers(silent, console)


def show_progress_of_question(name: str, console: Terminal) -> None:
    asyncio.run(telling.wait_for_answer(tell(name, make_reply(name)), console, tells_steps=True))


def show_chat(name: str, console: Terminal) -> None:
    class Asked:
        def stream(self, *_: object, **__: object) -> AsyncGenerator[QuestionEvent]:
            return tell(name, make_reply(name))

    talk = Chat(Asked(), console)  # type: ignore[arg-type]
    for line in ("a question", "/evidence", "/help", f"/{name}"):
        asyncio.run(talk.handle_line(line))


def show_claim(name: str, console: Terminal) -> None:
    claim = ClaimBody(
        id="1",
        claim=name,
        verdict="supported",
        confidence=0.9,
        evidence=[(name, name, name)],
        reading=name,
        steps=[],
        notes=[name],
    )
    verify._show_verdict(claim, console)


@pytest.mark.parametrize("show", [show_answer, show_progress_of_question, show_chat, show_claim])
@settings(max_examples=25, deadline=None)
@given(name=names)
def test_what_commands_show_of_a_name_stays_on_its_line(
    show: Callable[[str, Terminal], None], name: str
) -> None:
    shown, harmless = (write(show, text) for text in (name, "harmless"))
    assert list_acting(shown) == set()
    assert shown.count("\n") == harmless.count("\n")
    assert not any(line.startswith("note: all is well") for line in shown.splitlines())


@settings(max_examples=25, deadline=None)
@given(name=names)
def test_tables_and_lines_show_names_on_their_line(name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "4000")
        patch.setattr("sys.stdout", out := io.StringIO())
        patch.setattr("sys.stderr", err := io.StringIO())
        node = Node("1", name)
        rows = Rows((name,), ((name,), (node,), (Triple(node, name, node),)), "")
        cypher._show_rows(RowsBody.of(rows))
        cypher._show_verdict(ExplanationBody.of(Verdict(False, name, name)))
        keys._print_table(("name",), [{"name": name}])
        echo(name, err=True)
        with progress.show_progress() as report:
            report("steps", 1, 1, name)
        shown = out.getvalue() + err.getvalue()
    assert list_acting(shown) == set()
    assert shown.count("\n") == 12


@given(name=names)
def test_json_says_the_same_without_acting_characters(name: str) -> None:
    text = json.dumps({name: name}, ensure_ascii=False, indent=1)
    assert json.loads(escape_json(text)) == {name: name}
    assert list_acting(escape_json(text)) == set()


@given(name=names)
def test_a_prompt_has_a_name_as_json_on_one_line(name: str) -> None:
    assert json.loads(quote_as_data(name)) == name
    assert list_acting(quote_as_data(name)) == set()
    assert len(quote_as_data(name).splitlines()) == 1


def test_an_error_and_its_json_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    echo("no node is called Kenya\x1b[31m\ntrellis: all is well\u202e", err=True)
    echo_json('{"name": "\u202eKenya\x9b"}')
    said = capsys.readouterr()
    assert said.err == "no node is called Kenya\\x1b[31m\\ntrellis: all is well\\u202e\n"
    assert said.out == '{"name": "\\u202eKenya\\u009b"}\n'


def test_csv_keeps_its_lines_and_nothing_else_that_acts(capsys: pytest.CaptureFixture[str]) -> None:
    echo_csv('name\r\n"Kenya\x1b[31m\nand so on\r"\r\n')
    assert capsys.readouterr().out == 'name\r\n"Kenya\\x1b[31m\nand so on\\r"\r\n'


def test_commands_write_through_the_terminal_alone() -> None:
    folder = Path(trellis.cli.__file__).parent
    writing = {
        f"{file.name}: {ast.unparse(call.func)}"
        for file in folder.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        if ast.unparse(call.func) in ("print", "typer.echo", "Console", "typer.secho")
    }
    assert writing == {"terminal.py: typer.echo", "serve.py: print"}


def write(show: Callable[[str, Terminal], None], name: str) -> str:
    out = io.StringIO()
    show(name, Terminal(file=out, highlight=False, width=4000))
    return out.getvalue()


def list_acting(text: str) -> set[str]:
    """Characters that act on a terminal, turn what follows, or are halves of one."""
    shaping = "\xad\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff"
    kinds = ("Cc", "Cs", "Zl", "Zp")
    acting = {one for one in text if unicodedata.category(one) in kinds}
    turning = {one for one in text if unicodedata.bidirectional(one) in _TURNING}
    return (acting | turning) - {"\n"} - set(shaping)


_TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
