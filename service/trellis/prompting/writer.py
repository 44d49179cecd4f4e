"""Writes the chat of a prompt for a general model.

Source: GraphRAFT, SimGRAG (appendix, few-shot prompts) and STEM put models that nobody trained into
a graph's language by instructions and examples; here the examples are of the graph itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from trellis.domain.errors import QuestionError
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.prompt import NamedMention, Prompt, PromptExample, PromptMessage
from trellis.domain.ports import Embedder, ExampleBank, Graph
from trellis.prompting.schema_text import (
    PLAIN_NAMES,
    choose_lines,
    list_relationship_lines,
    list_schema_lines,
    list_word_names,
)
from trellis.prompting.templates import QUESTION, Templates, fill_template, list_places

_SCHEMA_SHARE = 0.6
"""Of the tokens that are left beside instructions and question, for the schema at most."""


_ASKED = ("question", "mentions")


@dataclass(frozen=True, slots=True)
class PromptRoom:
    """How much a model can read: `tokens` in all, as `measure` counts those of a chat."""

    tokens: int
    measure: Callable[[Sequence[PromptMessage]], int]

    def measure_text(self, text: str) -> int:
        """The tokens of a text alone, about."""
        return self.measure([PromptMessage("user", (text,))]) - self.measure(
            [PromptMessage("user", ("",))]
        )


@dataclass(frozen=True, slots=True)
class PromptWriter:
    """Adds to prompts the chat by which a model is asked that was trained for no graph.

    `shots`: the most examples that are shown. `rendering`: how sentences of queries are written.
    """

    graph: Graph
    embedder: Embedder
    bank: ExampleBank
    templates: Templates
    shots: int = 8
    rendering: str = "brief"

    async def write_chat(self, prompt: Prompt, room: PromptRoom) -> Prompt:
        """The prompt with its messages, within what the model can read.

        What does not fit is left out: first the farthest examples, then what of the schema is
        least like the question. Raises QuestionError where the question alone is too long.
        """
        examples = await self.bank.find_examples(prompt, self.shots) if self.shots else ()
        schema = await self.graph.schema()
        return await asyncio.to_thread(self._fit_chat, prompt, schema, examples, room)

    def empty_question(self, written: Prompt) -> Prompt:
        """A written prompt without what it asks: what a model writes then, it writes anyhow."""
        template = self.templates.find_template(QUESTION)
        nothing = PromptMessage("user", (fill_template(template, dict.fromkeys(_ASKED, "")),))
        return replace(written, messages=(*written.messages[:-1], nothing))

    def _fit_chat(
        self, prompt: Prompt, schema: Schema, examples: Sequence[PromptExample], room: PromptRoom
    ) -> Prompt:
        asked = self._write_question(prompt)
        bare = [self._write_instructions(prompt, schema, 0, room), asked]
        left = room.tokens - room.measure(bare)
        if left < 0:
            raise QuestionError(
                f"the question takes {room.measure([asked])} tokens, and with its instructions "
                f"{-left} more than the {room.tokens} that the model can read",
                "ask it in fewer words, shorten the instructions (`[prompts]` of the "
                "graph's file), or use a model that reads more",
            )
        share = int(_SCHEMA_SHARE * left) if examples else left
        system = self._write_instructions(prompt, schema, share, room)
        shown = [self._write_example(each) for each in examples]
        while True:
            turns = [turn for pair in reversed(shown) for turn in pair]
            messages = (system, *turns, asked)
            if room.measure(messages) <= room.tokens:
                return replace(prompt, messages=messages)
            if not shown:
                return replace(prompt, messages=tuple(bare))
            shown.pop()

    def _write_instructions(
        self, prompt: Prompt, schema: Schema, tokens: int, room: PromptRoom
    ) -> PromptMessage:
        """The system's turn, with about `tokens` tokens of schema."""
        template = self.templates.find_template(*_name_templates(prompt, self.rendering))
        texts = {
            place: self._describe_schema(place, prompt, schema, tokens, room)
            for place in list_places(template)
        }
        return PromptMessage("system", (fill_template(template, texts),))

    def _describe_schema(
        self, place: str, prompt: Prompt, schema: Schema, tokens: int, room: PromptRoom
    ) -> str:
        if not tokens:
            return ""
        if place == "relationships":
            lines = list_relationship_lines(schema, PLAIN_NAMES)
        elif place == "schema_words":
            lines = list_schema_lines(schema, list_word_names(schema))
        else:
            lines = list_schema_lines(schema, PLAIN_NAMES)
        question, measure = prompt.question, room.measure_text
        return "\n".join(choose_lines(lines, question, tokens, measure, self.embedder))

    def _write_example(self, example: PromptExample) -> tuple[PromptMessage, PromptMessage]:
        asked = self._write_question(example.prompt)
        return asked, PromptMessage("assistant", example.segments)

    def _write_question(self, prompt: Prompt) -> PromptMessage:
        sections = (f"{title}: {text}" for title, text in prompt.sections)
        texts = {
            "question": "\n".join((prompt.question, *sections)),
            "mentions": "\n".join(map(_describe_mention, _list_named(prompt))),
        }
        template = self.templates.find_template(QUESTION)
        return PromptMessage("user", (fill_template(template, texts),))


def _name_templates(prompt: Prompt, rendering: str) -> list[str]:
    """The names of templates for a prompt, the most particular first: by how sentences are written,
    by what else the prompt shows (`chain_graph`), by task."""
    shown = (f"{prompt.task}_{title.lower()}" for title, _ in prompt.sections)
    return [f"{prompt.task}_{rendering}", *shown, prompt.task]


def _list_named(prompt: Prompt) -> list[NamedMention]:
    """The mentions that the question says by other words than their names: those of made questions
    are said by these alone."""
    return [mention for mention in prompt.mentions if mention.text not in ("", mention.name)]


def _describe_mention(mention: NamedMention) -> str:
    """`v0 = Kenya (country name)`."""
    text = " ".join(mention.text.split())
    kinds = f" ({', '.join(mention.kinds)})" if mention.kinds else ""
    return f"{mention.name} = {text}{kinds}"
