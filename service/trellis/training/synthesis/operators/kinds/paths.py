"""Asks for the nodes at the end of a path, and for those that two paths share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from trellis.domain.graphs.schema import RelationshipKind
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import (
    AskedSet,
    Chain,
    Hop,
    write_named_node,
    write_node,
)
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft

_SAME = 0.35  # probability that both paths are of one relation, from two names
_OWN_QUESTION = 0.4  # probability of a relation's own question for two names
_NAMED = 0.7  # probability that what is shared is shared with a named node
_BOTH = 0.7  # probability that two conditions are said by two verb phrases


def ask_path(drawing: Drawing) -> QuestionDraft | None:
    """The nodes at the end of a path, asked in the words of its last relation."""
    sets = drawing.sets
    kind = sets.draw_label()
    chain = drawing.draw_chain(kind.label)
    if chain is None:
        return None
    label, chain = sets.open_label(kind.label, chain)
    text = sets.asker.ask_last_step(chain.phrases, chain.inner)
    asked = AskedSet(label, "", text, (chain.write(),))
    return QuestionDraft(text, f"{asked.write()}RETURN DISTINCT n")


def ask_both(drawing: Drawing) -> QuestionDraft | None:
    """The nodes that two paths lead to."""
    kind = drawing.sets.draw_label()
    first = drawing.draw_short_chain(kind.label)
    if first is None:
        return None
    second: Chain | None
    if first.end.is_single and drawing.words.flip(_SAME):
        second = drawing.repeat_chain(first)
        text = _say_both_names(drawing, kind.label, first, second)
    else:
        second = drawing.draw_chain(kind.label, 1)
        text = _say_both(drawing, kind.label, first, second) if second else None
    if second is None or text is None:
        return None
    asked = AskedSet(kind.label, "", text, (first.write(), second.write()))
    return QuestionDraft(text, f"{asked.write()}RETURN DISTINCT n")


def ask_same(drawing: Drawing) -> QuestionDraft | None:
    """The nodes that have two relationships to one and the same node; None where no two types join
    the same labels, or there are no words."""
    sets, words = drawing.sets, drawing.words
    alike = _group_alike(drawing.schema.relationships)
    if not alike:
        return None
    [kinds] = words.choice.choices(alike, [len(each) * (len(each) - 1) for each in alike])
    one, other = words.choice.sample(kinds, 2)
    label, end = one.start_label, one.end_label
    hops = [Hop(kind.type, False, end) for kind in (one, other)]
    verbs = [sets.pick_bare_predicate(label, hop) for hop in hops]
    if not all(verbs):
        return None
    a, b = verbs
    noun, things = (words.make_plural(sets.pick_noun(each)) for each in (label, end))
    text = words.fill("same_one", n=noun, o=things, a=a, b=b)
    first, second = hops
    match = f"MATCH {write_node('n', label)}{first.write(write_node('m', end))}"
    return make_draft(text, f"{match} MATCH (n){second.write('(m)')} RETURN DISTINCT n")


def ask_shared(drawing: Drawing) -> QuestionDraft | None:
    """The nodes that share what they are related to with a named node, or with any other: the
    team-mates of t0, clubs that play at the same ground as another."""
    sets, words = drawing.sets, drawing.words
    kind = sets.draw_label()
    hop = sets.hops.draw_hop(kind.label)
    if hop is None or not hop.label or hop.label == kind.label or hop.is_either:
        return None
    noun, thing = words.make_plural(sets.pick_noun(kind.label)), sets.pick_noun(hop.label)
    slots = {"n": noun, "o": thing, "a": sets.pick_bare_predicate(kind.label, hop)}
    if words.flip(_NAMED) and kind.naming:
        name = drawing.topics.add_name(kind)
        text = words.fill("shared_with", x=name, **slots)
        first, other = write_named_node("m", kind, name), "n"
    else:
        text = words.fill("shared", **slots)
        first, other = write_node("n", kind.label), "m"
    back = replace(hop, is_back=not hop.is_back, label=kind.label)
    there = hop.write(write_node("", hop.label))
    match = f"MATCH {first}{there}{back.write(write_node(other, kind.label))}"
    return make_draft(text, f"{match} WHERE n <> m RETURN DISTINCT n")


def _group_alike(kinds: Iterable[RelationshipKind]) -> list[list[RelationshipKind]]:
    """The relationships that join the same labels as others do, together with these."""
    groups = defaultdict[tuple[str, str], list[RelationshipKind]](list)
    for kind in kinds:
        if kind.start_label and kind.end_label:
            groups[kind.start_label, kind.end_label].append(kind)
    return [group for group in groups.values() if len(group) > 1]


def _say_both(drawing: Drawing, label: str, first: Chain, second: Chain) -> str | None:
    """The question for what two chains lead back to; None where there are no words for it."""
    sets, words = drawing.sets, drawing.words
    a, b = sets.pick_predicate(first), sets.pick_predicate(second)
    noun = sets.pick_noun(label)
    if a and b and words.flip(_BOTH):
        text = words.fill("both", n=noun, a=a, b=b)
        if text:
            return text
    described = sets.describe_set(AskedSet(label, noun, noun), first)
    return words.ask_list(f"{described} that {b}") if described and b else None


def _say_both_names(drawing: Drawing, label: str, first: Chain, second: Chain) -> str | None:
    """The question for what is common to two names; None where there are no words for it."""
    sets, words = drawing.sets, drawing.words
    names = words.fill("both_names", x=first.inner, y=second.inner)
    if names is None:
        return None
    if words.flip(_OWN_QUESTION) and first.phrases.asks:
        return sets.asker.ask_last_step(first.phrases, names)
    noun = sets.pick_noun(label)
    return words.ask_list(
        sets.describe_set(AskedSet(label, noun, noun), replace(first, inner=names)) or noun
    )
