"""Explain claims: the words of claims with labels alone, by the forms that agree with these."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trellis.domain.errors import GraphTimeoutError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.schema import Schema
from trellis.domain.replies.claims import VERDICTS
from trellis.lexicon.phrasebook import Phrasebook
from trellis.questions.row import QuestionRow
from trellis.steps.claims.known_words import list_known_words
from trellis.steps.claims.link_claim import link_claim
from trellis.steps.claims.read_claim import ClaimReading, read_claim
from trellis.steps.claims.step_companions import StepCompanions
from trellis.steps.claims.weigh_forms import UNKNOWN, ClaimWords, list_claim_words, list_parts
from trellis.steps.link.link import link_mentions
from trellis.steps.link.values.link_values import link_values
from trellis.training.means import TrainingContext
from trellis.training.supervision.claims.count_claim_words import ClaimExample, count_claim_words

_AT_ONCE = 4  # claims that are read side by side
_SMALL_WORD = re.compile(r"(?<![\w'’-])[a-z]+(?![\w'’-])")
_USUAL = 100  # a word that one claim in so many has is no name
_MOST_FORMS = 60
_STRANGE = -1.0  # log-weight of what the graph has no relation for, among forms that agree


@dataclass(frozen=True, slots=True)
class ClaimLesson:
    """What claims teach: which words each part of a form brings, and which are no names."""

    words: ClaimWords
    wording: tuple[str, ...] = ()
    source: Mapping[str, Scalar] = field(default_factory=dict)


async def explain_claims(
    claims: Sequence[QuestionRow], schema: Schema, means: TrainingContext, book: Phrasebook
) -> ClaimLesson:
    """What labelled claims teach; without any, what the graph's names and the lexicon tell."""
    known = list_known_words(schema, book)
    wording = list_claim_wording([row.claim for row in claims])
    labelled = [row for row in claims if row.label in VERDICTS.values()]
    if not labelled:
        return ClaimLesson(count_claim_words([], known), wording)
    turns = asyncio.Semaphore(_AT_ONCE)
    companions = StepCompanions(means.graph, means.queries)
    done = late = 0

    async def read_row(row: QuestionRow) -> ClaimExample | None:
        nonlocal done, late
        reading = None
        async with turns:
            try:
                reading = await _read_row(row, schema, companions, wording)
            except GraphTimeoutError:  # one claim that asks too much of the graph teaches nothing
                late += 1
        done += 1
        means.report("claims", done, len(labelled), f"{late} took too long" if late else "")
        return make_claim_example(reading, str(row.label)) if reading else None

    made = await asyncio.gather(*(read_row(row) for row in labelled))
    examples = [example for example in made if example is not None]
    source: dict[str, Scalar] = {"claims": len(claims), "claims_explained": len(examples)}
    if late:
        source["claims_too_slow"] = late
    return ClaimLesson(count_claim_words(examples, known), wording, source)


def list_claim_wording(claims: Sequence[str]) -> tuple[str, ...]:
    """The lower-case words that are so frequent that they are no names."""
    counts = Counter(word for claim in claims for word in {*_SMALL_WORD.findall(claim)})
    least = max(3, len(claims) // _USUAL)
    return tuple(sorted(word for word, count in counts.items() if count >= least))


def make_claim_example(reading: ClaimReading, label: str) -> ClaimExample | None:
    """A claim's words and the forms that agree with its label; None where there are none."""
    words = tuple(list_claim_words(reading.said.words))
    forms: dict[tuple[str, ...], float] = {}
    for weighed, judged in zip(reading.forms, reading.judged, strict=True):
        if VERDICTS[judged.truth] != label:
            continue
        parts = list_parts(weighed.form)
        weight = weighed.weight + (_STRANGE if UNKNOWN in parts else 0.0)
        forms[parts] = max(forms.get(parts, weight), weight)
    likely = sorted(forms.items(), key=lambda pair: -pair[1])[:_MOST_FORMS]
    return ClaimExample(words, tuple(likely)) if words and likely else None


async def _read_row(
    row: QuestionRow, schema: Schema, companions: StepCompanions, wording: Sequence[str]
) -> ClaimReading:
    names = await link_mentions(row.claim, companions.graph, None, wording)
    values = await link_values(row.claim, companions.graph)
    mentions = link_claim(row.claim, names, values, schema)
    return await read_claim(row.claim, mentions, companions)
