"""Filters of sets by what is compared: `rivers longer than v0`, `countries with over 3 lakes`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trellis.automata.cypher.words.property_types import DATES
from trellis.domain.identifiers import quote_name
from trellis.lexicon.property_phrases import is_number
from trellis.training.synthesis.operators.parts.asked_properties import (
    SIGNS,
    AskedProperty,
    add_number,
    add_unit,
    add_year,
    draw_property_of,
    say_degree,
    write_time,
)
from trellis.training.synthesis.operators.parts.drawing import (
    Drawing,
    RestrictedSet,
    fill_restriction,
)
from trellis.training.synthesis.operators.parts.named_nodes import is_whole_name, weigh_text
from trellis.training.synthesis.operators.parts.patterns import AskedSet, write_named_node
from trellis.training.synthesis.operators.parts.verb_phrases import agree_verb
from trellis.training.synthesis.operators.parts.words import FilledFrame

_NUMBERS: Mapping[str, float] = {
    "above": 10,
    "below": 10,
    "at_least": 3,
    "at_most": 3,
    "between": 2,
    "equal": 1,
}
"""Weights of comparisons of a property with a number."""

_TIMES: Mapping[str, float] = {
    "above": 10,
    "below": 10,
    "at_least": 4,
    "at_most": 2,
    "equal": 5,
    "between": 5,
}
"""Weights of comparisons of a property with a day or a time."""

_IN_YEAR = 0.3  # probability that a time is compared by its year
_YEAR_SIGNS: Mapping[str, float] = {"=": 6, ">": 2, "<": 2}
_YEAR_PHRASES: Mapping[str, tuple[str, ...]] = {
    "=": ("{p} in {v}", "{p} in the year {v}", "{p} during {v}", "in {v}", "from {v}", "of {v}"),
    ">": ("{p} after {v}", "{p} later than {v}", "after {v}"),
    "<": ("{p} before {v}", "{p} earlier than {v}", "before {v}"),
}

_SPAN_PHRASES = (
    "between {v} and {w}",
    "from {v} to {w}",
    "from {v} until {w}",
    "dated between {v} and {w}",
    "{p} between {v} and {w}",
    "with a {p} between {v} and {w}",
    "whose {p} lies between {v} and {w}",
    "with {p} from {v} to {w}",
)
"""Phrases for a property that is between two days."""

_COUNTS: Mapping[str, float] = {"above": 10, "below": 5, "at_least": 8, "at_most": 3, "exactly": 6}
"""Weights of comparisons of a number of relationships."""

_COUNTED = (1, 2, 2, 3, 3, 4, 5, 5, 6, 8, 10, 12)  # numbers of relationships that are compared with
_OWN_PHRASE = 0.65  # probability that a comparison with a number is a property's own phrase
_THINGS = 0.4  # probability that a number is said by what it counts
_MORE = 0.65  # share of `more than` in comparisons with a named node
_VALUE_FIRST = 0.4  # probability of `t0 crimes`, not `crimes of type t0`
_VALUE_ALONE = 0.15  # probability that a category stands for its nodes: `burglaries`
_FIRST_NAME = 0.4  # weight of a first name among the values of a person
_ANOTHER_VALUE = 0.45  # probability that a set with a value has a further one, too
_JOINTS = (" ", " ", " and ", " , ")  # before the second value of a set's nodes
_VERB = 0.3  # probability that a comparison with a named node is a property's own verb phrase


def compare_number(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """Those of a set whose property is above or below a number, or between two."""
    words, found = drawing.words, draw_property_of(drawing, asked.label)
    if found is None or not is_number(found.kind):
        return None
    kind = words.draw_option(_NUMBERS)
    if kind == "equal" and found.kind.type == "STRING":
        return None  # `match_value` asks for texts
    number = add_number(drawing, found.kind)
    value = add_unit(drawing, number, found)
    if kind == "between":
        return _compare_range(drawing, asked, found, number)
    condition = f"{found.measure} {SIGNS[kind]} {number}"
    phrases: tuple[str, ...] = getattr(found.phrases, kind)
    if phrases and words.flip(_OWN_PHRASE):
        text = f"{asked.text} {words.pick(phrases).replace('{}', number)}"
        return RestrictedSet(asked.restrict(text, condition))
    things = found.phrases.things
    if things and kind != "equal" and words.flip(_THINGS):
        noun = words.pick(things)
        return fill_restriction(drawing, f"number_{kind}", asked, condition, o=noun, v=number)
    return fill_restriction(drawing, kind, asked, condition, p=found.noun, v=value)


def compare_time(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """Those of a set whose property is after or before a day, or that day."""
    words, found = drawing.words, draw_property_of(drawing, asked.label)
    if found is None or found.kind.type not in DATES:
        return None
    if words.flip(_IN_YEAR):
        return _compare_year(drawing, asked, found)
    kind = words.draw_option(_TIMES)
    if kind == "between":
        return _compare_times(drawing, asked, found)
    phrases: tuple[str, ...] = getattr(found.phrases, kind)
    if not phrases:
        return None
    value = drawing.topics.add_time(asked.label, found.kind)
    literal = write_time(found.kind, value)
    text = f"{asked.text} {words.pick(phrases).replace('{}', value)}"
    return RestrictedSet(asked.restrict(text, f"{found.column} {SIGNS[kind]} {literal}"))


def _compare_times(drawing: Drawing, asked: AskedSet, found: AskedProperty) -> RestrictedSet:
    """Those of a set whose property is between two days or times."""
    first, last = (drawing.topics.add_time(asked.label, found.kind) for _ in range(2))
    phrase = drawing.words.pick(_SPAN_PHRASES).format(p=found.noun, v=first, w=last)
    low, high = write_time(found.kind, first), write_time(found.kind, last)
    condition = f"{found.column} >= {low} AND {found.column} <= {high}"
    return RestrictedSet(asked.restrict(f"{asked.text} {phrase}", condition))


def _compare_year(drawing: Drawing, asked: AskedSet, found: AskedProperty) -> RestrictedSet:
    """Those of a set whose property is of a year, or after or before it."""
    value = add_year(drawing, found.kind)
    sign = drawing.words.draw_option(_YEAR_SIGNS)
    phrase = drawing.words.pick(_YEAR_PHRASES[sign]).format(p=found.noun, v=value)
    condition = f"{found.column}.year {sign} {value}"
    return RestrictedSet(asked.restrict(f"{asked.text} {phrase}", condition))


def match_value(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """Those of a set that have a value, now and then two or three: `burglaries`, `officers with the
    rank t0`, `t0 crimes of t1 and with the outcome t2`."""
    matched = _match_one(drawing, asked)
    while matched is not None and drawing.words.flip(_ANOTHER_VALUE):
        further = _match_one(drawing, matched)
        if further is None:
            break
        matched = further
    return RestrictedSet(matched) if matched else None


def _match_one(drawing: Drawing, asked: AskedSet) -> AskedSet | None:
    """Those of a set that have one more value; None where their label has none that is free."""
    kind = drawing.find_label(asked.label)
    told = {
        each.name: min(weight, _FIRST_NAME)
        for each in kind.properties
        if (weight := weigh_text(kind, each)) and not is_whole_name(kind, each.name)
    }
    if not told:
        return None
    name = drawing.words.draw_option(told)
    if any(condition.startswith(f"n.{quote_name(name)} ") for condition in asked.conditions):
        return None
    value = drawing.topics.add_value(asked.label, name)
    own = kind.property(name)
    if asked.is_bare and own and own.values and drawing.words.flip(_VALUE_ALONE):
        text = value
    elif asked.is_bare and drawing.words.flip(_VALUE_FIRST):
        text = f"{value} {asked.text}"
    else:
        joint = drawing.words.pick(_JOINTS) if asked.conditions else " "
        text = f"{asked.text}{joint}{drawing.sets.say_value(asked.label, name, value)}"
    return asked.restrict(text, f"n.{quote_name(name)} = '{value}'")


def compare_thing(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """Those of a set that have more of a property, or less, than a named node."""
    found = draw_property_of(drawing, asked.label)
    if found is None or asked.before:
        return None
    is_more = drawing.words.flip(_MORE)
    kind = drawing.find_label(asked.label)
    if not kind.naming:
        return None
    name = drawing.topics.add_name(kind)
    filled = _fill_comparison(drawing, asked, found, name, is_more=is_more)
    if filled is None:
        return None
    condition = f"{found.measure} {'>' if is_more else '<'} {found.other_measure}"
    other = f"MATCH {write_named_node('m', kind, name)}"
    restricted = replace(asked.restrict(filled.text, condition), before=other)
    return RestrictedSet(restricted, filled.is_question)


def compare_count(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """Those of a set that have more, fewer or just so many of something."""
    sets, words = drawing.sets, drawing.words
    hop = sets.hops.draw_many(asked.label)
    if hop is None:
        return None
    kind = words.draw_option(_COUNTS)
    number = drawing.topics.add_number(words.choice.choice(_COUNTED))
    noun = words.make_plural(sets.find_noun(asked.label, hop))
    count = f"COUNT {{ (n){sets.hops.write_neighbours(asked.label, hop)} }}"
    condition = f"{count} {SIGNS[kind]} {number}"
    return fill_restriction(drawing, f"number_{kind}", asked, condition, o=noun, v=number)


def _compare_range(
    drawing: Drawing, asked: AskedSet, found: AskedProperty, first: str
) -> RestrictedSet | None:
    """Those of a set whose property is between a number and another."""
    second = add_number(drawing, found.kind)
    condition = f"{found.measure} >= {first} AND {found.measure} <= {second}"
    last = add_unit(drawing, second, found)
    return fill_restriction(drawing, "between", asked, condition, p=found.noun, v=first, w=last)


def _fill_comparison(
    drawing: Drawing, asked: AskedSet, found: AskedProperty, name: str, *, is_more: bool
) -> FilledFrame | None:
    """The words for those of a set that are above or below a named node; None where no frame
    fits."""
    words, phrases = drawing.words, found.phrases
    verbs = phrases.exceeds if is_more else phrases.trails
    if verbs and words.flip(_VERB):
        verb = agree_verb(words.pick(verbs).replace("{}", name))
        return FilledFrame(f"{asked.text} {words.pick(('that', 'which'))} {verb}", False)
    degree = say_degree(drawing, found, phrases.more if is_more else phrases.less, "m")
    kind = "above_thing" if is_more else "below_thing"
    return words.fill_either(kind, s=asked.text, x=name, **degree)
