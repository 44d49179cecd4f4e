"""Asks by a verb for what stands on either side of an event: what Ann ordered, who called it."""

from __future__ import annotations

from trellis.domain.identifiers import quote_name
from trellis.lexicon.event_verbs import EventEnd, EventKind
from trellis.training.synthesis.operators.drawing import Drawing
from trellis.training.synthesis.operators.patterns import Hop
from trellis.training.synthesis.operators.topics import QuestionDraft

_PATIENTS = 0.5  # share of questions for what is done to something, beside who does it
_COUNT = 0.2  # share of questions for a number
_OWN_VERB = 0.4  # share of the verb that the event is named by
_FAR = 0.35  # probability that the other end is described by a relationship of its own


def ask_event(drawing: Drawing) -> QuestionDraft | None:
    """What somebody did something to, or who did it; None where the schema has no events."""
    if not drawing.events:
        return None
    words, sets = drawing.words, drawing.sets
    event = words.choice.choice(drawing.events)
    verb = event.verbs[0] if words.flip(_OWN_VERB) else words.choice.choice(event.verbs)
    asks_patient, counts = words.flip(_PATIENTS), words.flip(_COUNT)
    asked, other = (event.patient, event.agent) if asks_patient else (event.agent, event.patient)
    described = _describe_other(drawing, event, other)
    if described is None:
        return None
    inner, pattern = described
    if counts:
        frames = "event_count_patients" if asks_patient else "event_count_agents"
        noun = words.make_plural(sets.pick_noun(asked.label))
        forms = {"a": verb.past, "b": verb.participle, "d": verb.base}
        text = words.fill(frames, n=noun, x=inner, **forms) or ""
    else:
        phrases = event.say_ends(verb, asks_patient, drawing.book.type_nouns(asked.label))
        text = sets.asker.ask_last_step(phrases, inner)
    to_event = Hop(asked.step.relation, not asked.step.reversed, event.label)
    back = Hop(other.step.relation, other.step.reversed, other.label)
    chain = f"{to_event.write(_write_node('', event.label))}{back.write(pattern)}"
    given = "count(DISTINCT n)" if counts else "DISTINCT n"
    return QuestionDraft(text, f"MATCH {_write_node('n', asked.label)}{chain} RETURN {given}")


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


def _write_node(variable: str, label: str) -> str:
    return f"({variable}:{quote_name(label)})"
