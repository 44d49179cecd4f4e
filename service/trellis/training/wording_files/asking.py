"""Asks a hosted model for more phrases, and keeps those that it tells apart when it reads them.

The reader sees a phrase without what it was written for, beside all relations and properties, and
has to name the one that it means. Names of the graph are quoted as JSON, on one line.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import Any

from trellis.domain.errors import TrellisError
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.domain.printable import quote_as_data
from trellis.lexicon.wording_file import Wording
from trellis.training.wording_files.proposals import (
    MOST_WORDS,
    PhraseMeaning,
    Proposal,
    Refusals,
    add_proposals,
    check_proposals,
    list_meanings,
    parse_proposals,
)

AskText = Callable[[str, str], Awaitable[str]]
"""Asks a hosted model: instructions and a request to its text; raises a TrellisError."""

WRITING = (
    "You write the phrases by which people ask about a graph. Each numbered item shows, in Cypher, "
    "a thing X and what is asked for (?), or a property of X. Write up to 8 phrases for each item, "
    "in plain everyday English, each different in its words. Kinds: `asks`, a whole question for "
    "what is asked for, with {} for X, such as `who wrote {}`; `clauses`, a noun phrase for it, "
    "with {} for X, such as `the author of {}`; `nouns`, a noun N that fits `the N of X`, without "
    f"{{}}. At most {MOST_WORDS} words, lower case, no names. A phrase must fit its item alone, "
    "and not the other direction. Write JSON lines and nothing else: "
    '{"of": 1, "kind": "asks", "phrase": "who wrote {}"}'
)
READING = (
    "You are shown the relations and properties of a graph as numbered items. Each item shows, in "
    "Cypher, a thing X and what is asked for (?), or a property of X. For each numbered phrase "
    "name the one item that it asks for; 0 where it fits none, or several equally well. Write JSON "
    'lines and nothing else: {"phrase": 1, "item": 7}'
)

_AT_ONCE = 4  # requests
_READ_TOGETHER = 20  # phrases of one request
_MOST_FAILURES = 3  # then nothing more is asked


@dataclass(frozen=True, slots=True)
class WrittenPhrases:
    """A wording with the phrases of a hosted model, how many were kept, and what was not.

    `problem`: why some or all requests failed; empty where none did.
    """

    wording: Wording
    kept: int
    refusals: Refusals
    problem: str = ""


@dataclass(slots=True)
class _Requests:
    """Asks a few things at once, and stops asking once several have failed."""

    ask: AskText
    turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))
    asked: int = 0
    failures: list[TrellisError] = field(default_factory=list)

    async def ask_all(self, instructions: str, requests: Iterable[str]) -> list[str | None]:
        """The text for each request; None where it failed, or was not asked any more."""
        return await asyncio.gather(*(self._ask_one(instructions, request) for request in requests))

    async def _ask_one(self, instructions: str, request: str) -> str | None:
        async with self.turn:
            if len(self.failures) >= _MOST_FAILURES:
                return None
            self.asked += 1
            try:
                return await self.ask(instructions, request)
            except TrellisError as error:
                self.failures.append(error)
                return None

    def describe_failures(self) -> str:
        if not self.failures:
            return ""
        count = f"{len(self.failures)} of {self.asked} requests failed"
        end = ", and no more were made" if len(self.failures) >= _MOST_FAILURES else ""
        return f"{count}{end}: {self.failures[0]}"


async def write_phrases(ask: AskText, schema: Schema, wording: Wording) -> WrittenPhrases:
    """A wording with what a hosted model adds to it; whatever fails leaves it as it is."""
    requests, meanings = _Requests(ask), list_meanings(schema)
    groups = [list(group) for _, group in groupby(meanings, _group_key)]
    texts = await requests.ask_all(WRITING, (_request_phrases(group, wording) for group in groups))
    pairs = zip(texts, groups, strict=True)
    parsed = [parse_proposals(text, group) for text, group in pairs if text is not None]
    lines = chain.from_iterable(lines for lines, _ in parsed)
    proposals, refusals = check_proposals(lines, wording)
    kept, misread = await _read_back(requests, proposals, meanings)
    malformed = refusals.malformed + sum(wrong for _, wrong in parsed)
    refusals = replace(refusals, malformed=malformed, misread=misread)
    return WrittenPhrases(
        add_proposals(wording, kept), len(kept), refusals, requests.describe_failures()
    )


async def _read_back(
    requests: _Requests, proposals: Sequence[Proposal], meanings: Sequence[PhraseMeaning]
) -> tuple[list[Proposal], int]:
    """The proposals whose meaning the reader names, and the number of the others.

    Phrases of many meanings are mixed, so that no phrase gives away its neighbour.
    """
    mixed = random.Random(0).sample(list(proposals), len(proposals))
    batches = [mixed[at : at + _READ_TOGETHER] for at in range(0, len(mixed), _READ_TOGETHER)]
    texts = await requests.ask_all(
        READING, (_request_reading(batch, meanings) for batch in batches)
    )
    understood = {
        proposal
        for batch, text in zip(batches, texts, strict=True)
        for proposal in _find_understood(batch, text or "", meanings)
    }
    kept = [proposal for proposal in proposals if proposal in understood]
    return kept, len(proposals) - len(kept)


def _group_key(meaning: PhraseMeaning) -> tuple[str, str]:
    """Both directions of a relation are asked for together."""
    if meaning.part == "relations":
        return meaning.part, Step.parse(meaning.key).relation
    return meaning.part, meaning.key


def _request_phrases(group: Sequence[PhraseMeaning], wording: Wording) -> str:
    lines = []
    for number, meaning in enumerate(group, 1):
        entry = meaning.find_entry(wording)
        known = [text for kind in meaning.kinds for text in entry.get(kind, ())]
        shown = f"; known: {', '.join(map(quote_as_data, known))}" if known else ""
        kinds = f"; kinds: {', '.join(meaning.kinds)}"
        lines.append(f"{number}: {quote_as_data(meaning.pattern)}{kinds}{shown}")
    return "\n".join(lines)


def _request_reading(batch: Sequence[Proposal], meanings: Sequence[PhraseMeaning]) -> str:
    items = "\n".join(
        f"{n}: {quote_as_data(meaning.pattern)}" for n, meaning in enumerate(meanings, 1)
    )
    phrases = "\n".join(
        f"{n}: {quote_as_data(proposal.example)}" for n, proposal in enumerate(batch, 1)
    )
    return f"Items:\n{items}\n\nPhrases:\n{phrases}"


def _find_understood(
    batch: Sequence[Proposal], text: str, meanings: Sequence[PhraseMeaning]
) -> list[Proposal]:
    """The phrases for which a reader's JSON lines name the meaning they were written for."""
    named = dict(filter(None, map(_parse_reading, text.splitlines())))
    numbers = {meaning: number for number, meaning in enumerate(meanings, 1)}
    return [
        proposal for n, proposal in enumerate(batch, 1) if named.get(n) == numbers[proposal.meaning]
    ]


def _parse_reading(line: str) -> tuple[int, int] | None:
    try:
        body: Any = json.loads(line.strip().rstrip(","))
        return int(body["phrase"]), int(body["item"])
    except (ValueError, TypeError, KeyError):
        return None
