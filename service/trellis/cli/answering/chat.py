"""`trellis chat`: asks question after question, and loads models once."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from trellis.cli.answering.asking import QuestionClient, open_client
from trellis.cli.answering.telling import (
    build_times_table,
    insert_names,
    show_answers,
    show_evidence,
    wait_for_answer,
)
from trellis.cli.options import MethodOption, ModelOption, UrlOption
from trellis.cli.terminal import Terminal
from trellis.domain.errors import TrellisError
from trellis.wire.asked import TurnBody
from trellis.wire.bodies import NodeChoiceBody, ReplyBody

HELP = """\
/evidence       what the last answer stands on, what was tried, where time went
/method [NAME]  the methods and which are ready; with a name, use that one from now on
1, 2, …         where several of one name may be meant: that one
/new            forget what was asked, so that no question refers to it
/help           this
/quit           end (also Ctrl-D); Ctrl-C stops a question
Anything else is a question, which may refer to those before: `And of Uganda?`"""

_MOST_TURNS = 8  # that a question may refer to


@dataclass
class Chat:
    """A conversation: what answers it, by which method, and the last answer."""

    client: QuestionClient
    console: Console
    method: str | None = None
    last: ReplyBody | None = None
    history: list[TurnBody] = field(default_factory=list)

    async def handle_line(self, line: str) -> bool:
        """Handle a line, a command or a question; False ends the conversation."""
        word, _, rest = line.strip().partition(" ")
        if word == "/quit":
            return False
        if word == "/help":
            for line in HELP.splitlines():
                self.console.print(line, markup=False)
        elif word == "/method":
            await self._choose_method(rest.strip())
        elif word == "/new":
            self.history.clear()
        elif word == "/evidence":
            self._show_evidence()
        elif word.startswith("/"):
            self.console.print(f"there is no {word}; /help lists what there is", markup=False)
        elif word.isdecimal() and not rest and (choice := self._find_choice(int(word))):
            assert self.last is not None
            await self._ask_question(self.last.asked or self.last.question, [choice.id])
        elif word:
            await self._ask_question(line)
        return True

    def _find_choice(self, number: int) -> NodeChoiceBody | None:
        """The choice of that number which the last answer offers."""
        choices = self.last.choices if self.last else []
        return choices[number - 1] if 0 < number <= len(choices) else None

    async def _ask_question(self, question: str, topics: Sequence[str] | None = None) -> None:
        history = () if topics else self.history
        events = self.client.stream(question, method=self.method, topics=topics, history=history)
        self.last = await wait_for_answer(events, self.console, tells_steps=True)
        self.history = [*self.history, TurnBody.of_reply(self.last)][-_MOST_TURNS:]
        show_answers(self.last, self.console)

    async def _choose_method(self, name: str) -> None:
        methods = await self.client.list_methods()
        chosen = next((method for method in methods if method.name == name), None)
        if chosen and chosen.ready:
            self.method = name
        elif chosen:
            self.console.print(f"{name} is not ready: {chosen.problem}", markup=False)
        elif name:
            self.console.print(f"there is no method {name}; those there are:", markup=False)
        table = Table(box=None, pad_edge=False, show_header=False)
        for method in methods:
            used = method.name == self.method if self.method else method.default
            state = "ready" if method.ready else "not ready"
            told = method.about if method.ready else f"{method.problem}; {method.remedy}"
            table.add_row("→" if used else "", method.name, state, escape(told))
        self.console.print(table)

    def _show_evidence(self) -> None:
        if self.last is None:
            self.console.print("nothing was asked yet")
            return
        show_evidence(self.last, self.console)
        for candidate in self.last.candidates:
            sentence = insert_names(candidate.text, self.last.mentions)
            self.console.print(f"  tried {escape(sentence)}", style="dim", soft_wrap=True)
        self.console.print(build_times_table(self.last))


def chat(method: MethodOption = None, model: ModelOption = None, url: UrlOption = None) -> None:
    """Ask one question after another."""
    with suppress(ImportError):
        import readline  # noqa: F401  lets users edit lines and recall earlier ones
    console = Terminal(highlight=False)
    stack = AsyncExitStack()
    with asyncio.Runner() as runner:
        client = open_client(url, model, method=method)
        talk = Chat(runner.run(stack.enter_async_context(client)), console, method)
        try:
            if sys.stdin.isatty():
                console.print("[dim]/help says what there is besides questions[/]")
            while _handle_next_line(runner, talk):
                pass
        finally:
            runner.run(stack.aclose())


def _handle_next_line(runner: asyncio.Runner, conversation: Chat) -> bool:
    """Read and handle a line; Ctrl-C stops only that. False ends the conversation."""
    try:
        line = input("» " if sys.stdin.isatty() else "")
        return runner.run(conversation.handle_line(line))
    except EOFError:
        return False
    except KeyboardInterrupt:
        conversation.console.print("stopped")
    except TrellisError as error:
        conversation.console.print(str(error), style="red", markup=False, soft_wrap=True)
    return True
