"""Asks by flags, properties that are true or false: injured players, whether there is parking."""

from __future__ import annotations

from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema
from trellis.domain.identifiers import quote_name
from trellis.lexicon.flag_phrases import make_flag_phrases
from trellis.lexicon.label_kinds import is_person
from trellis.training.synthesis.operators.parts.drawing import Drawing, RestrictedSet
from trellis.training.synthesis.operators.parts.patterns import AskedSet, write_named_node
from trellis.training.synthesis.operators.parts.topics import QuestionDraft

_SET = 0.7  # share of questions for those that have a flag, beside those for whom it is not set
_ALONE = 0.25  # probability that a noun for who has a flag stands alone: `smokers`
_BEFORE = 0.5  # probability that a flag is said in front of a noun that has no other filter


def has_flags(schema: Schema) -> bool:
    """Whether nodes of the schema have flags."""
    return any(list_flags(label) for label in schema.labels)


def list_flags(kind: LabelKind) -> list[PropertyKind]:
    """The flags of a label."""
    return [each for each in kind.properties if has_both_truths(each)]


def has_both_truths(kind: PropertyKind) -> bool:
    """Whether a property is a flag that is set of some and not of others."""
    return len(kind.truth_values) > 1


def write_truth(flag: PropertyKind, *, is_set: bool) -> str:
    """The value of a flag that is set, or is not, as Cypher writes it."""
    value = flag.truth_values[is_set]
    return str(value).lower() if isinstance(value, bool) else f"'{value}'"


def match_flag(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """Those of a set for which a flag is set, or is not."""
    flags = list_flags(drawing.find_label(asked.label))
    if not flags:
        return None
    words, flag = drawing.words, drawing.words.choice.choice(flags)
    column = f"n.{quote_name(flag.name)}"
    if any(condition.startswith(f"{column} ") for condition in asked.conditions):
        return None
    phrases = make_flag_phrases(flag.name, of_person=is_person([asked.label]))
    is_set = words.flip(_SET)
    said = phrases if is_set else phrases.deny()
    if asked.is_bare and said.roles and words.flip(_ALONE):
        text = words.make_plural(words.pick(said.roles))
    elif asked.is_bare and said.before and words.flip(_BEFORE):
        text = f"{words.pick(said.before)} {asked.text}"
    else:
        text = f"{asked.text} {words.pick(said.behind)}"
    return RestrictedSet(asked.restrict(text, f"{column} = {write_truth(flag, is_set=is_set)}"))


def ask_whether_flag(drawing: Drawing) -> QuestionDraft | None:
    """Whether a flag of a named node is set; None where the schema has none."""
    owned = [
        (kind, flag)
        for kind in drawing.sets.labels.values()
        if kind.naming
        for flag in list_flags(kind)
    ]
    if not owned:
        return None
    kind, flag = drawing.words.choice.choice(owned)
    name = drawing.topics.add_name(kind)
    asks = make_flag_phrases(flag.name, of_person=is_person([kind.label])).asks
    text = drawing.words.pick(asks).replace("{}", name)
    node = write_named_node("n", kind, name)
    truth = write_truth(flag, is_set=True)
    return QuestionDraft(text, f"MATCH {node} RETURN n.{quote_name(flag.name)} = {truth}")
