"""A model's chat template, and chats as tokens by it.

The template is rendered with a mark in the place of each message's text. What is around the marks
is encoded with the tokenizer's special tokens; each part of a message is encoded apart and without
them. So a part that says `<|im_start|>system` is read as these characters, and never as a turn.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from trellis.automata.tokens.vocabulary import TokenizerVocabulary, Tokens
from trellis.domain.models.prompt import PromptMessage
from trellis.models.plain_files import read_json_file, read_text_file, read_token_text

log = logging.getLogger(__name__)

_FILE = "chat_template.jinja"
_TOKENS = ("bos_token", "eos_token", "unk_token", "pad_token")
_MARK_BYTES = 8


@dataclass(frozen=True)
class ChatTemplate:
    """How a model writes a chat.

    `source`: the template in Jinja; empty where the tokenizer has none, or one that cannot be used:
    turns are then plain text. `tokens`: the texts of named special tokens, such as `bos_token`.
    """

    source: str = ""
    tokens: Mapping[str, str] = field(default_factory=dict)

    def encode_chat(
        self, messages: Sequence[PromptMessage], vocabulary: TokenizerVocabulary
    ) -> Tokens:
        """The tokens of a chat, up to where the assistant's next turn begins."""
        tokens: list[int] = []
        for text, parts in self._lay_out(messages):
            tokens += vocabulary.encode_marked(text)
            for part in parts:
                tokens += vocabulary.encode(part)
        return tuple(tokens)

    def find_turn_end(self, vocabulary: TokenizerVocabulary) -> int:
        """The token that ends what the assistant says, among those that end a text."""
        asked = PromptMessage("user", ("",)), PromptMessage("assistant", ("",))
        *_, text, _ = (text for text, _ in self._lay_out((*asked, asked[0])))
        read = vocabulary.encode_marked(text)
        return next((token for token in read if token in vocabulary.ends), min(vocabulary.ends))

    def _lay_out(self, messages: Sequence[PromptMessage]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Texts of the template, each with the parts that follow it."""
        for system_apart in self._system_apart:
            shaped = messages if system_apart else _join_system(messages)
            texts = self._render(len(shaped), [message.role for message in shaped])
            if texts:
                parts = [message.parts for message in shaped]
                yield from zip(texts, [*parts, ()], strict=True)
                return
        yield from self._lay_out_plainly(messages)

    @cached_property
    def _system_apart(self) -> tuple[bool, ...]:
        """Whether the system may have a turn of its own, in the order in which that is tried; none
        where the template cannot be used."""
        if not self.source:
            return ()
        for apart, roles in (
            (True, ("system", "user", "assistant", "user")),
            (False, ("user", "assistant", "user")),
        ):
            if self._render(len(roles), roles):
                return (apart,)
        log.warning("the model's chat template cannot be used: its turns are written as plain text")
        return ()

    def _render(self, count: int, roles: Sequence[str]) -> list[str] | None:
        """The template's texts around `count` messages; None where it does not write each once."""
        marks = [f"mark{secrets.token_hex(_MARK_BYTES)}" for _ in range(count)]
        messages = [
            {"role": role, "content": mark} for role, mark in zip(roles, marks, strict=True)
        ]
        without: tuple[list[str] | None, ...] = (None, [])
        for tools in without:
            try:
                rendered = str(
                    self._compiled.render(
                        messages=messages,
                        tools=tools,
                        documents=None,
                        add_generation_prompt=True,
                        enable_thinking=False,
                        **self.tokens,
                    )
                )
            except Exception as error:  # a template is foreign code: it may raise anything
                log.debug("the chat template failed: %s", error)
                continue
            return _split_at_marks(rendered, marks)
        return None

    @cached_property
    def _compiled(self) -> Any:
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
        )
        environment.filters["tojson"] = _write_json
        environment.globals["raise_exception"] = _raise_template_error
        environment.globals["strftime_now"] = lambda _: ""  # a prompt is the same every day
        return environment.from_string(self.source)

    def _lay_out_plainly(
        self, messages: Sequence[PromptMessage]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Turns as plain text, with `Answer:` where the assistant's begin."""
        before = self.tokens.get("bos_token", "") if self.tokens.get("adds_bos") else ""
        for message in messages:
            if message.role == "assistant":
                yield before, message.parts
                before = "\n\n"
            else:
                yield before, message.parts
                before = "\nAnswer:" if message.role == "user" else "\n\n"
        yield before, ()


def read_chat_template(folder: Path) -> ChatTemplate:
    """The chat template of a Hugging Face folder; an empty one where it has none.

    Raises ModelDamagedError where its files cannot be read.
    """
    config = read_json_file(folder / "tokenizer_config.json")
    file = folder / _FILE
    source = read_text_file(file) if file.is_file() else _choose_source(config)
    named = {name: text for name in _TOKENS if (text := read_token_text(config, name))}
    if config.get("add_bos_token") and "bos_token" in named:
        named["adds_bos"] = "yes"
    return ChatTemplate(source, named)


def _choose_source(config: Mapping[str, Any]) -> str:
    """The template among a tokenizer's settings: a text, or several under names."""
    found = config.get("chat_template")
    if isinstance(found, list):
        named = {each.get("name"): each.get("template") for each in found if isinstance(each, dict)}
        found = named.get("default")
    return found if isinstance(found, str) else ""


def _join_system(messages: Sequence[PromptMessage]) -> list[PromptMessage]:
    """The messages with the system's text at the beginning of the user's first turn."""
    if len(messages) < 2 or messages[0].role != "system":
        return list(messages)
    system, first, *rest = messages
    return [PromptMessage(first.role, (*system.parts, "\n\n", *first.parts)), *rest]


def _split_at_marks(rendered: str, marks: Sequence[str]) -> list[str] | None:
    """The texts before, between and behind the marks; None unless each stands there once, in
    order."""
    texts: list[str] = []
    rest = rendered
    for mark in marks:
        text, found, rest = rest.partition(mark)
        if not found or mark in rest:
            return None
        texts.append(text)
    return [*texts, rest]


def _write_json(value: Any, indent: int | None = None, **_: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _raise_template_error(message: str) -> NoReturn:
    raise TemplateError(message)
