"""Asks by a verb for what stands on either side of an event: what Ann ordered, who called it."""

from __future__ import annotations

from collections.abc import Mapping

from trellis.automata.cypher.meaning.value_rendering import TEMPORAL_FUNCTIONS
from trellis.automata.cypher.words.property_types import DATES
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import PropertyKind
from trellis.domain.identifiers import quote_name
from trellis.lexicon.names import read_name
from trellis.lexicon.plurals import is_plural
from trellis.lexicon.relations.event_verbs import EventEnd, EventKind
from trellis.lexicon.relations.verbs import Verb
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import (
    AskedSet,
    Hop,
    write_absence,
    write_node,
)
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft

_PATIENTS = 0.5  # share of questions for what is done to something, beside who does it
_OWN_VERB = 0.4  # share of the verb that the event is named by
_FAR = 0.35  # probability that the other end is described by a relationship of its own
_OF_ANOTHER = 0.15  # probability that the other end is described by another event of the kind
_OWNER = 0.4  # probability that the owner stands for a node at an end
_TIMED = 0.25  # probability that a day, a time or a year of the event is told
_TOLD = 1.0  # that a time is told where nothing else tells an event
_YEAR = 0.4  # share of years, where days are told
_YEARS = (1990, 2030)
_DAYS = frozenset(("date", "day"))
_TIMES = _DAYS.union(("time", "at", "on", "made", "created", "placed", "of"))
_SORTS = {
    "end": 5.0,
    "count": 1.2,
    "times": 0.8,
    "both": 0.8,
    "but_not": 0.6,
    "some": 0.5,
    "none": 1.2,
    "most": 0.8,
    "least": 0.3,
}
"""What is asked of an end: those by one other end, how many, and how often; those by two others, or
by one and not by another; those of any or no event, and those of the most events or the fewest."""

_BETWEEN = 0.3  # share of questions for how often of which both ends are told


def ask_event(drawing: Drawing) -> QuestionDraft | None:
    """What somebody did something to, or who did it; None where the schema has no events."""
    if not drawing.events:
        return None
    words = drawing.words
    event, verb = _draw_event(drawing)
    asks_patient = words.flip(_PATIENTS)
    asked, other = (event.patient, event.agent) if asks_patient else (event.agent, event.patient)
    match sort := words.draw_option(_SORTS):
        case "end" | "count":
            return _ask_end(drawing, event, verb, asked, other, counts=sort == "count")
        case "times":
            return _ask_times(drawing, event, verb, other)
        case "both" | "but_not":
            return _ask_two(drawing, event, verb, asked, sort)
        case _:
            return _ask_alone(drawing, event, verb, asked, sort)


def ask_whether_event(drawing: Drawing) -> QuestionDraft | None:
    """Whether somebody did something to something; None where the schema has no events, or the ends
    have no names."""
    if not drawing.events:
        return None
    event, verb = _draw_event(drawing)
    kinds = drawing.find_label(event.agent.label), drawing.find_label(event.patient.label)
    if not all(kind.naming for kind in kinds):
        return None
    nodes = [drawing.draw_node(kind.label) for kind in kinds]
    if None in nodes:
        return None
    agent, patient = (node for node in nodes if node)
    text = drawing.words.fill("event_whether", x=agent.text, y=patient.text, **_list_forms(verb))
    chain = f"{_hop_to(event.agent, event)}{_write_step(event.patient.step, '(m)')}"
    ends = f"{agent.write('n')}, {patient.write('m')}"
    return make_draft(text, f"MATCH {ends} RETURN EXISTS {{ (n){chain} }}")


def _draw_event(drawing: Drawing) -> tuple[EventKind, Verb]:
    words = drawing.words
    event = words.choice.choice(drawing.events)
    is_own = words.flip(_OWN_VERB)
    return event, event.verbs[0] if is_own else words.choice.choice(event.verbs)


def _ask_end(
    drawing: Drawing,
    event: EventKind,
    verb: Verb,
    asked: EventEnd,
    other: EventEnd,
    *,
    counts: bool,
) -> QuestionDraft | None:
    """Which nodes at an end, or which of their owners, have one event with another end, or how
    many."""
    described = _describe_other(drawing, event, other)
    if described is None:
        return None
    inner, pattern = described
    sets, is_patient = drawing.sets, asked == event.patient
    given, to_event = _choose_given(drawing, event, asked)
    text: str | None
    if counts:
        text = _fill(drawing, "event_count", verb, given, is_patient, x=inner)
    else:
        nouns = drawing.book.type_nouns(given.label)
        phrases = event.say_ends(verb, is_patient, nouns, asks_person=given.is_person)
        text = sets.asker.ask_last_step(phrases, inner)
    when, condition = _draw_time(drawing, event)
    start = write_node("n", given.label)
    chain = f"{start}{to_event}{_write_step(other.step, pattern)}{condition}"
    column = "count(DISTINCT n)" if counts else "DISTINCT n"
    return make_draft(text and f"{text}{when}", f"MATCH {chain} RETURN {column}")


def _ask_times(
    drawing: Drawing, event: EventKind, verb: Verb, told: EventEnd
) -> QuestionDraft | None:
    """How many events an end has, or both ends have with one another."""
    ends = [told]
    if drawing.words.flip(_BETWEEN):
        ends = [event.agent, event.patient]
    described = [_describe_other(drawing, event, end) for end in ends]
    if None in described:
        return None
    texts = [each[0] for each in described if each]
    steps = [
        _write_step(end.step, each[1]) for end, each in zip(ends, described, strict=True) if each
    ]
    kind = "between" if len(ends) == 2 else "patients" if told == event.patient else "agents"
    slots = dict(zip("xy", texts, strict=False))
    text = drawing.words.fill(f"event_times_{kind}", **slots, **_list_forms(verb))
    events = AskedSet(event.label, "", "", tuple(steps))
    return make_draft(text, f"{events.write()}RETURN count(DISTINCT n)")


def _ask_two(
    drawing: Drawing, event: EventKind, verb: Verb, asked: EventEnd, sort: str
) -> QuestionDraft | None:
    """Which nodes at an end, or which of their owners, have events with two other ends, or with one
    and not with another."""
    is_patient = asked == event.patient
    other = event.agent if is_patient else event.patient
    first = drawing.draw_node(other.label)
    if first is None or not first.is_single:
        return None
    [(naming, _)] = first.values
    second = first.exchange_topic(drawing.topics.add_value(other.label, naming))
    given, to_event = _choose_given(drawing, event, asked, name="")
    text = _fill(drawing, f"event_{sort}", verb, given, is_patient, x=first.text, y=second.text)
    reached, also = (
        f"{to_event}{_write_step(other.step, node.write())}" for node in (first, second)
    )
    found = AskedSet(given.label, "", "", (reached,))
    found = (
        found.restrict("", match=also)
        if sort == "both"
        else found.restrict("", condition=write_absence(also))
    )
    return make_draft(text, f"{found.write()}RETURN DISTINCT n")


def _ask_alone(
    drawing: Drawing, event: EventKind, verb: Verb, asked: EventEnd, sort: str
) -> QuestionDraft | None:
    """Which nodes at an end, or which of their owners, have any event, none, the most or the
    fewest."""
    given, to_event = _choose_given(drawing, event, asked)
    text = _fill(drawing, f"event_{sort}", verb, given, asked == event.patient)
    match, pattern = f"MATCH {write_node('n', given.label)}", f"(n){to_event}"
    when, condition = _draw_time(drawing, event) if sort == "some" else ("", "")
    if when:
        return make_draft(
            text and f"{text}{when}", f"{match}{to_event}{condition} RETURN DISTINCT n"
        )
    if sort in ("some", "none"):
        condition = f"{'NOT ' if sort == 'none' else ''}EXISTS {{ {pattern} }}"
        return make_draft(text, f"{match} WHERE {condition} RETURN n")
    order = f"ORDER BY COUNT {{ {pattern} }}{' DESC' if sort == 'most' else ''} LIMIT 1"
    return make_draft(text, f"{match} RETURN n {order}")


def _choose_given(
    drawing: Drawing, event: EventKind, asked: EventEnd, name: str = "e"
) -> tuple[EventEnd, str]:
    """What is given of an end, itself or its owner, and the relationships from there to the event;
    `name`: the event's variable."""
    owner = asked.owner if drawing.words.flip(_OWNER) else None
    to_event = _hop_to(asked, event, name)
    if owner is None:
        return asked, to_event
    return owner, _write_step(owner.step.turn(), write_node("", asked.label)) + to_event


def _draw_time(
    drawing: Drawing, event: EventKind, name: str = "e", probability: float = _TIMED
) -> tuple[str, str]:
    """The words for when an event was, and the condition for that; both empty but for the
    probability, and where the event has no property of days or times. `name`: its variable."""
    kinds = [
        kind
        for kind in drawing.find_label(event.label).properties
        if _find_word(kind) and _is_of_event(kind, event)
    ]
    if not kinds or not drawing.words.flip(probability):
        return "", ""
    words, topics = drawing.words, drawing.topics
    kind = words.choice.choice(kinds)
    column = f"{name}.{quote_name(kind.name)}"
    if kind.type in DATES:
        if words.flip(_YEAR):
            year = topics.add_number(words.choice.randint(*_YEARS))
            return f" in {year}", f" WHERE {column}.year = {year}"
        day = topics.add_time(event.label, kind)
        return f" on {day}", f" WHERE {column} = {TEMPORAL_FUNCTIONS[kind.type]}('{day}')"
    value = topics.add_value(event.label, kind.name)
    return f" {_find_word(kind)} {value}", f" WHERE {column} = '{value}'"


def _is_of_event(kind: PropertyKind, event: EventKind) -> bool:
    """Whether a day or a time is that of the event, and of nothing that came of it, as when an
    order was shipped."""
    own = {*read_name(event.label).words, *read_name(event.agent.step.relation).words}
    own.update(form for verb in event.verbs for form in (verb.base, verb.past, verb.participle))
    return _TIMES.union(own).issuperset(read_name(kind.name).words)


def _find_word(kind: PropertyKind) -> str:
    """The preposition for a day or a time; empty for other properties."""
    words = read_name(kind.name).words
    if kind.type in DATES or (kind.type == "STRING" and not _DAYS.isdisjoint(words)):
        return "on"
    return "at" if kind.type == "STRING" and "time" in words else ""


def _fill(
    drawing: Drawing, kind: str, verb: Verb, given: EventEnd, is_patient: bool, **slots: str
) -> str | None:
    """A frame of a kind for an end, which has frames of its own; `given`: what is asked for."""
    end = "patients" if is_patient else "agents"
    noun = drawing.words.make_plural(drawing.sets.pick_noun(given.label))
    wh = "who" if given.is_person else "what" if is_patient else None
    return drawing.words.fill(f"{kind}_{end}", n=noun, q=wh, **_list_forms(verb), **slots)


def _list_forms(verb: Verb) -> Mapping[str, str]:
    return {"a": verb.past, "b": verb.participle, "d": verb.base}


def _describe_other(drawing: Drawing, event: EventKind, other: EventEnd) -> tuple[str, str] | None:
    """The words for a node at the other end, and its pattern; None where it has no name, or would
    be told by an event again."""
    sets = drawing.sets
    if other.owner and drawing.words.flip(_OWNER):
        person = drawing.draw_node(other.owner.label)
        if person is None:
            return None
        back = _write_step(other.owner.step, person.write())
        return person.text, f"{write_node('', other.label)}{back}"
    if drawing.words.flip(_OF_ANOTHER) and (done := _describe_by_event(drawing, event, other)):
        return done
    if not drawing.words.flip(_FAR):
        node = drawing.draw_node(other.label)
        return (node.text, node.write()) if node else None
    chain = drawing.draw_chain(other.label, 1)
    if chain is None or chain.hops[0].label == event.label:
        return None
    return sets.describe_by_chain(other.label, chain)


def _describe_by_event(drawing: Drawing, event: EventKind, end: EventEnd) -> tuple[str, str] | None:
    """The words for what was at an end of another event at a time, and its pattern: `a phone that
    called on t0`; None where no time is told."""
    when, condition = _draw_time(drawing, event, "o", _TOLD)
    if not when:
        return None
    verb = event.verbs[0]
    is_patient = end == event.patient
    said = (
        f"was {verb.participle}"
        if is_patient
        else drawing.words.pick((verb.past, f"had {verb.participle}"))
    )
    noun = drawing.sets.pick_noun(end.label)
    article = drawing.words.pick(("the ", "some ", "", "" if is_plural(noun) else "a "))
    text = f"{article}{noun} {drawing.words.pick(('that', 'which'))} {said}{when}"
    own = condition.replace(" WHERE ", "", 1)
    step = _write_step(end.step.turn(), f"(o:{quote_name(event.label)} WHERE {own})")
    return text, f"{write_node('', end.label)}{step}"


def _hop_to(end: EventEnd, event: EventKind, name: str = "e") -> str:
    """The relationship from a node at an end to the event, whose variable has a name."""
    return _write_step(end.step.turn(), write_node(name, event.label))


def _write_step(step: Step, pattern: str) -> str:
    """A step as Cypher, to a pattern."""
    return Hop(step.relation, step.reversed, "").write(pattern)
