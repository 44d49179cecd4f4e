"""Filters of sets by relationships that nodes have or lack: `rivers that do not rise in v0`."""

from __future__ import annotations

from trellis.domain.graphs.graph import Step
from trellis.training.synthesis.operators.parts.drawing import (
    Drawing,
    RestrictedSet,
    fill_restriction,
)
from trellis.training.synthesis.operators.parts.patterns import AskedSet, Hop, write_absence
from trellis.training.synthesis.operators.parts.verb_phrases import negate_predicate

_NOT = 0.7  # share of `those that do not`, beside `all except those that`
_IDIOM = 0.6  # probability of a relation's own noun phrase for nodes that have it, or lack it


def deny_chain(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """Those of a set that a chain does not lead to: `rivers in v0 that do not rise in v1`."""
    chain = drawing.draw_chain(asked.label, 1)
    predicate = drawing.sets.pick_predicate(chain) if chain else None
    if chain is None or predicate is None:
        return None
    denied = negate_predicate(predicate, drawing.words.choice)
    kind = "not" if drawing.words.flip(_NOT) else "except"
    condition = write_absence(chain.write())
    return fill_restriction(drawing, kind, asked, condition, a=predicate, c=denied)


def deny_any(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """Those of a set that have no such relationship at all: `countries without a coast`."""
    return _restrict_by_hop(drawing, asked, is_denied=True)


def need_any(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """Those of a set that have some such relationship: `countries with a coast`."""
    return _restrict_by_hop(drawing, asked, is_denied=False)


def _restrict_by_hop(drawing: Drawing, asked: AskedSet, *, is_denied: bool) -> RestrictedSet | None:
    hop = drawing.sets.hops.draw_hop(asked.label)
    if hop is None:
        return None
    exists = f"EXISTS {{ (n){drawing.sets.hops.write_neighbours(asked.label, hop)} }}"
    condition = f"NOT {exists}" if is_denied else exists
    described = _describe_by_idiom(drawing, asked, hop, is_denied=is_denied)
    if described:
        return RestrictedSet(asked.restrict(described, condition))
    noun = drawing.sets.find_noun(asked.label, hop)
    return fill_restriction(drawing, "without" if is_denied else "with", asked, condition, o=noun)


def _describe_by_idiom(
    drawing: Drawing, asked: AskedSet, hop: Hop, *, is_denied: bool
) -> str | None:
    """A relation's own noun phrase for nodes that have it or lack it; None where none fits, and
    now and then."""
    phrases = drawing.book.phrases_of(Step(hop.type, hop.is_back), None)
    idioms = phrases.none if is_denied else phrases.some
    if not idioms or not drawing.words.flip(_IDIOM):
        return None
    idiom = drawing.words.pick(idioms)
    fits = asked.is_bare or idiom.startswith("{n}")
    return idiom.replace("{n}", asked.text) if fits else None
