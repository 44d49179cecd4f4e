"""Read claim: all forms of a claim with their facts, and the verdict that they make likely."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trellis.domain.replies.claims import ClaimForm, ClaimMention, JudgedForm, Truth
from trellis.domain.structures.question_patterns import MentionNode, QuestionPattern
from trellis.steps.claims.fact_table import FactTable
from trellis.steps.claims.judge_form import JudgedStatement, judge_form
from trellis.steps.claims.list_forms import WeighedForm, list_forms
from trellis.steps.claims.read_facts import FactReader
from trellis.steps.claims.read_operator import ClaimOperatorReading, read_operator
from trellis.steps.claims.step_companions import StepCompanions
from trellis.steps.claims.surroundings import find_surroundings
from trellis.steps.claims.weigh_forms import list_parts

_TELLING = 2.5  # odds that what is so of several names is meant, against what is not so
_LEFT_OUT = -1.0  # log-weight of each name that such a form leaves out
_HALF_KNOWN = 40  # forms that may also say something that the graph has no relation for


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """What a claim says beside its pattern, its forms, and what the graph says of each."""

    said: ClaimOperatorReading
    forms: tuple[WeighedForm, ...] = ()
    judged: tuple[JudgedStatement, ...] = ()

    @property
    def strangers(self) -> tuple[ClaimMention, ...]:
        """What the claim mentions and the graph does not have."""
        return tuple(mention for mention in self.said.mentions if not mention.is_known)


async def read_claim(
    claim: str, mentions: Sequence[ClaimMention], companions: StepCompanions
) -> ClaimReading:
    """The forms of a claim, each judged by the graph of `companions`."""
    graph, queries = companions.graph, companions.queries
    said = read_operator(claim, mentions)
    if not all(mention.is_known for mention in said.mentions):
        return ClaimReading(said)
    around = await find_surroundings(graph, said.mentions, companions)
    listed = await asyncio.to_thread(list_forms, said, around)
    names = sorted({kind.naming for kind in around.schema.labels if kind.naming})
    reader = FactReader(queries, names, around.list_existing(said.mentions))
    facts = await reader.read_forms([each.form for each in listed], said.mentions)
    return await asyncio.to_thread(_judge_listed, said, listed, facts)


def _judge_listed(
    said: ClaimOperatorReading, listed: Sequence[WeighedForm], facts: FactTable
) -> ClaimReading:
    """What the facts say of each form that fits, and of those that also say something unknown."""
    judged = [(each, judge_form(each.form, said.mentions, facts)) for each in listed]
    fitting = [(each, statement) for each, statement in judged if statement.is_fitting]
    fitting += [_add_unknown(*pair) for pair in fitting[:_HALF_KNOWN]]
    fitting += _list_unknown(said)
    kept = list(_drop_alike(fitting))
    return ClaimReading(said, tuple(it for it, _ in kept), tuple(it for _, it in kept))


def _drop_alike(
    judged: Sequence[tuple[WeighedForm, JudgedStatement]],
) -> Iterator[tuple[WeighedForm, JudgedStatement]]:
    """The forms without those that say the same relations to the same end, less likely ones."""
    seen: set[tuple[object, ...]] = set()
    for form, statement in judged:
        key = tuple(sorted(list_parts(form.form))), statement.truth, form.kept
        if key not in seen:
            seen.add(key)
            yield form, statement


def _add_unknown(
    weighed: WeighedForm, judged: JudgedStatement
) -> tuple[WeighedForm, JudgedStatement]:
    """The same form of a claim that also says what the graph has no relation for."""
    form = replace(weighed.form, is_unknown=True)
    return replace(weighed, form=form), replace(judged, truth=min(judged.truth, Truth.OPEN))


def _list_unknown(said: ClaimOperatorReading) -> list[tuple[WeighedForm, JudgedStatement]]:
    """The form of a claim all of which the graph has no relation for."""
    named = [i for i, it in enumerate(said.mentions) if it.nodes]
    topic = min(named, key=lambda i: said.mentions[i].is_ordinary, default=None)
    if topic is None:
        return []
    form = ClaimForm(QuestionPattern((MentionNode(topic),), ()), said.operator, is_unknown=True)
    left_out = sum(not mention.is_ordinary for mention in said.mentions) - 1
    weighed = WeighedForm(form, _LEFT_OUT * left_out, frozenset((topic,)))
    return [(weighed, JudgedStatement(Truth.OPEN))]


def weigh_truth(form: ClaimForm, truth: Truth) -> float:
    """How much likelier a form is meant if what it says of several names is so: of forms that are
    not meant, hardly any is."""
    named = sum(isinstance(node, MentionNode) for node in form.pattern.nodes)
    unknown = len(form.pattern.nodes) - named  # what may be anything is easily so
    if form.operator.kind != "exists" or named < 2 or form.denied or form.is_unknown:
        return 1.0
    is_so = truth is (Truth.FALSE if form.is_denied else Truth.TRUE)
    return _TELLING ** (named - 1 - (unknown > 1)) if is_so else 1.0


def judge_forms(reading: ClaimReading, probabilities: Sequence[float]) -> tuple[JudgedForm, ...]:
    """The forms, most probable first, with what the graph says of each."""
    weights = [
        probability * weigh_truth(weighed.form, statement.truth)
        for weighed, statement, probability in zip(
            reading.forms, reading.judged, probabilities, strict=True
        )
    ]
    total = sum(weights)
    judged = [
        JudgedForm(weighed.form, weight / total, statement.truth, statement.triples)
        for weighed, statement, weight in zip(reading.forms, reading.judged, weights, strict=True)
    ]
    return tuple(sorted(judged, key=lambda each: -each.probability))
