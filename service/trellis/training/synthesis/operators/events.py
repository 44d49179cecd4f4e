"""Asks by a verb for what stands on either side of an event: what Ann ordered, who called it."""

from __future__ import annotations

from collections.abc import Mapping

from trellis.domain.identifiers import quote_name
from trellis.lexicon.event_verbs import EventEnd, EventKind
from trellis.lexicon.verbs import Verb
from trellis.training.synthesis.operators.drawing import Drawing
from trellis.training.synthesis.operators.patterns import Hop
from trellis.training.synthesis.operators.topics import QuestionDraft, make_draft

_PATIENTS = 0.5  # share of questions for what is done to something, beside who does it
_OWN_VERB = 0.4  # share of the verb that the event is named by
_FAR = 0.35  # probability that the other end is described by a relationship of its own
_SORTS = {"end": 5.0, "count": 1.2, "some": 0.5, "none": 1.0, "most": 0.8, "least": 0.3}
"""What is asked of an end: those by one other end, how many, those of any or no event, and those of
the most events or the fewest."""


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
    nodes = [drawing.sets.draw_node(kind.label, drawing.topics) for kind in kinds]
    if None in nodes:
        return None
    agent, patient = (node for node in nodes if node)
    text = drawing.words.fill("event_whether", x=agent.text, y=patient.text, **_list_forms(verb))
    chain = f"{_hop_to(event.agent, event)}{_hop_back(event.patient, '(m)')}"
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
    """Which nodes at an end have one event with another end, or how many."""
    described = _describe_other(drawing, event, other)
    if described is None:
        return None
    inner, pattern = described
    sets = drawing.sets
    text: str | None
    if counts:
        text = _fill(drawing, "event_count", event, verb, asked, x=inner)
    else:
        nouns = drawing.book.type_nouns(asked.label)
        phrases = event.say_ends(verb, asked == event.patient, nouns)
        text = sets.asker.ask_last_step(phrases, inner)
    chain = f"{_hop_to(asked, event)}{_hop_back(other, pattern)}"
    given = "count(DISTINCT n)" if counts else "DISTINCT n"
    return make_draft(text, f"MATCH {_write_node('n', asked.label)}{chain} RETURN {given}")


def _ask_alone(
    drawing: Drawing, event: EventKind, verb: Verb, asked: EventEnd, sort: str
) -> QuestionDraft | None:
    """Which nodes at an end have any event, none, the most or the fewest."""
    text = _fill(drawing, f"event_{sort}", event, verb, asked)
    pattern = f"(n){_hop_to(asked, event)}"
    match = f"MATCH {_write_node('n', asked.label)}"
    if sort in ("some", "none"):
        condition = f"{'NOT ' if sort == 'none' else ''}EXISTS {{ {pattern} }}"
        return make_draft(text, f"{match} WHERE {condition} RETURN n")
    order = f"ORDER BY COUNT {{ {pattern} }}{' DESC' if sort == 'most' else ''} LIMIT 1"
    return make_draft(text, f"{match} RETURN n {order}")


def _fill(
    drawing: Drawing, kind: str, event: EventKind, verb: Verb, asked: EventEnd, **slots: str
) -> str | None:
    """A frame of a kind for an end, which has frames of its own."""
    end = "patients" if asked == event.patient else "agents"
    noun = drawing.words.make_plural(drawing.sets.pick_noun(asked.label))
    return drawing.words.fill(f"{kind}_{end}", n=noun, **_list_forms(verb), **slots)


def _list_forms(verb: Verb) -> Mapping[str, str]:
    return {"a": verb.past, "b": verb.participle, "d": verb.base}


def _describe_other(drawing: Drawing, event: EventKind, other: EventEnd) -> tuple[str, str] | None:
    """The words for a node at the other end, and its pattern; None where it has no name, or would
    be told by an event again."""
    sets = drawing.sets
    if not drawing.words.flip(_FAR):
        node = sets.draw_node(other.label, drawing.topics)
        return (node.text, node.write()) if node else None
    chain = drawing.draw_chain(other.label, 1)
    if chain is None or chain.hops[0].label == event.label:
        return None
    text = sets.asker.make_noun_phrase(chain.phrases, chain.inner)
    return text, f"{_write_node('', other.label)}{chain.write()}"


def _hop_to(end: EventEnd, event: EventKind) -> str:
    """The relationship from a node at an end to the event."""
    hop = Hop(end.step.relation, not end.step.reversed, event.label)
    return hop.write(_write_node("", event.label))


def _hop_back(end: EventEnd, pattern: str) -> str:
    """The relationship from the event to a node at an end."""
    return Hop(end.step.relation, end.step.reversed, end.label).write(pattern)


def _write_node(variable: str, label: str) -> str:
    return f"({variable}:{quote_name(label)})"
