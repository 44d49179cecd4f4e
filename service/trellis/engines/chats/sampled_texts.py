"""What came of asking a hosted model: its texts as lines, and these as sentences.

A line is read in the spelling that is a sentence, else in the one that is read furthest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from trellis.automata.reader import Departure, SentenceReading
from trellis.domain.models.decoding import Sentence
from trellis.engines.chats.chat import (
    JsonForm,
    LineReader,
    LineSpellings,
    Message,
    ParsedLine,
    split_blocks,
    split_lines,
)
from trellis.engines.chats.completions import ChatText
from trellis.engines.chats.json_lines import is_json_like
from trellis.engines.chats.means import Means

_MOST_LINES = 40  # of one text that are looked at

Options = Mapping[str, Any]
"""Parameters of a request."""


@dataclass(frozen=True, slots=True)
class SampledText:
    """The lines of one text, and how probable the text is; None where its server does not say."""

    lines: tuple[ParsedLine, ...]
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages that ask for the sentences of one prompt, and the reader of its lines.

    `means`: what keeps to the language, by the parameters `options`. `form`: how sentences are
    written as JSON, where they are. `line_tokens`: that a line may take.
    """

    messages: Sequence[Message]
    reader: LineReader
    means: Means
    line_tokens: int
    options: Options = field(default_factory=dict)
    form: JsonForm | None = None


def weigh_readings(samples: Sequence[SampledText]) -> list[Sentence]:
    """The sentences of samples, the most probable first, with probabilities that add up to 1.

    A sentence is as probable as its server says, where it says so of all samples of one line; else
    as many samples as have it. The order in which one text lists several says nothing of how
    probable they are: it only orders those that are equal.
    """
    is_told = all(len(it.lines) == 1 and it.probability is not None for it in samples)
    weights: dict[str, float] = {}
    readings: dict[str, SentenceReading[Any]] = {}
    for sample in samples:
        found = [it.result for it in sample.lines if isinstance(it.result, SentenceReading)]
        for reading in {it.text: it for it in found}.values():
            readings.setdefault(reading.text, reading)
            before = weights.get(reading.text, 0.0)
            told = max(before, sample.probability or 0.0)
            weights[reading.text] = told if is_told else before + 1.0
    total = sum(weights.values()) or 1.0
    ranked = sorted(weights, key=lambda text: -weights[text])
    return [
        Sentence(text.strip(), (), readings[text].values, _log(weights[text] / total), 1)
        for text in ranked
    ]


def _log(probability: float) -> float:
    return math.log(max(probability, 1e-300))


def read_sample(conversation: Conversation, width: int, text: ChatText) -> SampledText:
    """The lines of a text, up to the one that completes `width` readings."""
    reader, lines = conversation.reader, _list_lines(conversation, text)
    probability = math.exp(max(sum(text.logprobs), -600.0)) if text.logprobs else None
    return SampledText(tuple(_read_lines(reader, lines, width)), probability)


def _list_lines(conversation: Conversation, text: ChatText) -> list[LineSpellings]:
    """The lines of a text: all of it is one where a means keeps it inside. What is no JSON object
    where one was asked for is read as text."""
    means = conversation.means
    if means.name == "text" or (conversation.form and not is_json_like(text.text)):
        return _split_text(conversation.reader, text.whole_lines)
    return [LineSpellings((means.read_text(text.text),))]


def _split_text(reader: LineReader, text: str) -> list[LineSpellings]:
    """The lines of a text, or its blocks where more of these are sentences."""
    lines = split_lines(text)
    blocks = [LineSpellings((block,)) for block in split_blocks(text)]
    return max((lines, blocks), key=partial(_count_readings, reader))


def _count_readings(reader: LineReader, lines: Sequence[LineSpellings]) -> int:
    read = (_read_line(reader, line).result for line in lines[:_MOST_LINES])
    return sum(isinstance(result, SentenceReading) for result in read)


def _read_lines(reader: LineReader, lines: Sequence[LineSpellings], width: int) -> list[ParsedLine]:
    """The lines up to the one that completes `width` readings; at most twice as many lines."""
    taken: list[ParsedLine] = []
    for line in lines[: 2 * width]:
        taken.append(_read_line(reader, line))
        if sum(isinstance(written.result, SentenceReading) for written in taken) == width:
            break
    return taken


def _read_line(reader: LineReader, line: LineSpellings) -> ParsedLine:
    """A line in its first spelling that can be read, else in the one that is read furthest."""
    spellings = [ParsedLine(text, reader.read_text(text)) for text in line]
    readable = (spelling for spelling in spellings if isinstance(spelling.result, SentenceReading))
    return next(readable, None) or max(spellings, key=_measure_readable_part)


def _measure_readable_part(line: ParsedLine) -> int:
    """The number of characters that are inside the language."""
    return len(line.result.accepted) if isinstance(line.result, Departure) else len(line.text)


def merge_corrections(
    lines: Sequence[ParsedLine], corrected_lines: Sequence[ParsedLine]
) -> list[ParsedLine]:
    """The lines, with those outside the language replaced by their corrections, in order."""
    corrections = iter(corrected_lines)
    mended = [
        next(corrections, line) if isinstance(line.result, Departure) else line for line in lines
    ]
    return [*mended, *corrections]
