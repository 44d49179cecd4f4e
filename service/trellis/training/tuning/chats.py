"""Examples as the chats of answering: the prompts that a general model gets, written by one writer.

A made question says no values, only what they are of. It gets some of the schema's, so that the
model learns to read the lines that name a question's mentions.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from trellis.automata.cypher.words.wording import split_name
from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.prompt import NamedMention, Prompt, PromptExample, PromptMessage
from trellis.domain.ports import ExampleBank
from trellis.engines.general import build_room
from trellis.graph.database.progress import Progress
from trellis.models.chat_template import ChatTemplate
from trellis.prompting.writer import PromptRoom, PromptWriter
from trellis.training.examples import Example

_MASKED = re.compile(r"\b(v\d+) \(([^):]*)[^)]*\)")
_TOLD = 50  # chats between two reports


@dataclass(frozen=True, slots=True)
class ChatReader:
    """How a base reads chats: its vocabulary, its chat template, and the tokens of its context."""

    vocabulary: TokenizerVocabulary
    template: ChatTemplate
    context: int

    def count_chat_tokens(self, messages: Sequence[PromptMessage]) -> int:
        """The tokens of a chat."""
        return len(self.template.encode_chat(messages, self.vocabulary))

    def measure_room(self, prompt_tokens: int, sentence_tokens: int) -> PromptRoom:
        """The room of a prompt, as answering has it. Texts are measured once."""

        @lru_cache(100_000)
        def measure_once(messages: tuple[PromptMessage, ...]) -> int:
            return self.count_chat_tokens(messages)

        room = build_room(self, prompt_tokens, sentence_tokens)
        return replace(room, measure=lambda messages: measure_once(tuple(messages)))


@dataclass(frozen=True, slots=True)
class OtherExamples:
    """ExampleBank port that never shows the question that is asked."""

    bank: ExampleBank

    async def find_examples(self, prompt: Prompt, count: int) -> Sequence[PromptExample]:
        """The nearest examples with other questions."""
        nearest = await self.bank.find_examples(prompt, count + 1)
        return [each for each in nearest if each.prompt.question != prompt.question][:count]


async def write_example_chats(
    examples: Sequence[Example],
    schema: Schema,
    writer: PromptWriter,
    room: PromptRoom,
    seed: int,
    report: Progress,
) -> tuple[Example, ...]:
    """The examples with the chats by which their prompts are asked."""
    values, drawing = _list_values(schema), random.Random(seed)
    written: list[Example] = []
    for number, example in enumerate(examples, 1):
        prompt = name_made_values(example.prompt, values, drawing)
        written.append(replace(example, prompt=await writer.write_chat(prompt, room)))
        if number % _TOLD == 0 or number == len(examples):
            report("prompts", number, len(examples))
    return tuple(written)


def name_made_values(
    prompt: Prompt, values: Mapping[str, Sequence[str]], drawing: random.Random
) -> Prompt:
    """The prompt with a value of the schema for each that its question says; a prompt whose
    mentions are named, or of whose kinds no value is known, as it is."""
    if prompt.mentions:
        return prompt
    named = [
        NamedMention(name, drawing.choice(values[kinds[0]]), tuple(kinds))
        for name, listed in _MASKED.findall(prompt.question)
        if (kinds := listed.split(", ")) and values.get(kinds[0])
    ]
    return replace(prompt, mentions=tuple({each.name: each for each in named}.values()))


def _list_values(schema: Schema) -> dict[str, list[str]]:
    """Values of the schema's properties, by what a question says that they are of."""
    return {
        f"{split_name(kind.label)} {split_name(each.name)}": [
            str(value) for value in (each.values or each.examples)
        ]
        for kind in schema.labels
        for each in kind.properties
    }
