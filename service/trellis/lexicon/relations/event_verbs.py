"""Event verbs: what people say that somebody did, where the graph has a node for the doing.

`Which books did Ann order` speaks of no order, and yet goes by one: `(Ann)-[:PLACED]->(an Order)
-[:CONTAINS]->(a book)`. So does `what did she buy`, and `who called this phone` goes by a call that
has a caller. Events are found by the noun of their label and a person beside it, or by two
relationships that one verb gives their names: of who does it, `caller`, and of what it is done to,
`called`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.label_kinds import is_person
from trellis.lexicon.names import read_name
from trellis.lexicon.plurals import is_plural, make_plural
from trellis.lexicon.relations.phrases import Phrases
from trellis.lexicon.relations.verb_groups import list_alike
from trellis.lexicon.relations.verbs import Verb, make_verb, name_agent, read_participle

_NOUNS = {
    "call": "call",
    "order": "order",
    "purchase": "order",
    "rental": "rent",
    "booking": "book",
    "reservation": "book",
    "review": "review",
    "rating": "review",
    "visit": "visit",
    "loan": "borrow",
    "donation": "donate",
    "message": "message",
    "viewing": "watch",
}
"""Nouns of events, and what is done in them."""

_DOING = frozenset(
    """author by buyer client customer did for from gave guest had has left made member placed
    posted submitted user wrote""".split()  # noqa: SIM905
)
"""Words of relationships between an event and who does it."""

_CONTAINING = frozenset(
    """about contain containing contains for has having include includes including item items line
    lines of on product products with""".split()  # noqa: SIM905
)
"""Words of relationships between an event and what it is done to."""

_OWNING = frozenset(("has", "have", "own", "owns", "use", "uses"))
"""Words of relationships between a person and what does something for it, as a phone does."""

_PATIENT_ASKS: tuple[str, ...] = (
    "[wh] did {} [base]",
    "[wh] has {} [participle]",
    "[wh] was [participle] by {}",
    "{} [past] [wh]",
    "[wh] all did {} [base]",
    "[wh] did {} ever [base]",
)
_PATIENT_CLAUSES: tuple[str, ...] = (
    "the [kind] that {} [past]",
    "[kind] [participle] by {}",
    "[kind] {} [past]",
    "everything that {} [past]",
    "all [kind] that {} has [participle]",
    "the [kind] which were [participle] by {}",
    "what {} [past]",
)
_AGENT_ASKS: tuple[str, ...] = (
    "[wh] [past] {}",
    "[wh] has [participle] {}",
    "[wh] have [participle] {}",
    "by [wh] was {} [participle]",
    "{} was [participle] by [wh]",
    "[wh] was {} [participle] by",
    "[wh] has {} been [participle] by",
    "[wh] did [base] {}",
)
_AGENT_CLAUSES: tuple[str, ...] = (
    "the [kind] that [past] {}",
    "[kind] that [past] {}",
    "[kind] which have [participle] {}",
    "[kind] by which {} was [participle]",
    "all [kind] that ever [past] {}",
)
_FROM_ASKS = ("from what was {} [participle]", "from what has {} been [participle]")
_FROM_CLAUSES = ("the [kind] from which {} was [participle]",)


@dataclass(frozen=True, slots=True)
class EventEnd:
    """A step from an event, and the label that it leads to; `owner`: the persons whose doing it is,
    as the calls of a phone are, by a step from there."""

    step: Step
    label: str
    is_person: bool
    owner: EventEnd | None = None


@dataclass(frozen=True, slots=True)
class EventKind:
    """A label of events: who or what does it, to what, and the verbs for that, the event's own
    first."""

    label: str
    agent: EventEnd
    patient: EventEnd
    verbs: tuple[Verb, ...]

    def list_steps(self) -> Mapping[tuple[Step, Step], bool]:
        """The two steps over the event to the patient, and those to the agent, with whether they
        lead to the patient."""
        agent, patient = self.agent.step, self.patient.step
        return {(agent.turn(), patient): True, (patient.turn(), agent): False}

    def say_ends(
        self, verb: Verb, asks_patient: bool, nouns: Sequence[str], *, asks_person: bool
    ) -> Phrases:
        """The phrases for what the other end did something to by a verb, or for who did it to it;
        `nouns`: those of what is asked for, `asks_person`: whether it is a person."""
        wh = "who" if asks_person else "what"
        asks, clauses = (
            (_PATIENT_ASKS, _PATIENT_CLAUSES) if asks_patient else (_AGENT_ASKS, _AGENT_CLAUSES)
        )
        if not asks_patient and not asks_person:
            asks, clauses = asks + _FROM_ASKS, clauses + _FROM_CLAUSES
        plurals = tuple(noun if is_plural(noun) else make_plural(noun) for noun in nouns)
        kinds = plurals or ("things",)
        forms = {"base": verb.base, "past": verb.past, "participle": verb.participle, "wh": wh}
        return Phrases(
            asks=tuple(_fill(text, forms) for text in asks),
            clauses=tuple(
                _fill(text, {**forms, "kind": kind}) for text in clauses for kind in kinds
            ),
            types=plurals,
            wh=wh,
        )


def find_events(schema: Schema) -> tuple[EventKind, ...]:
    """The events of a schema, in the order of its labels."""
    return tuple(
        EventKind(label.label, agent, patient, tuple(map(make_verb, (base, *list_alike(base)))))
        for label in schema.labels
        if label.label
        for agent, patient in permutations(_list_ends(label.label, schema), 2)
        if (base := _find_base(agent, patient) or _find_noun_base(label.label, agent, patient))
    )


def _list_ends(label: str, schema: Schema) -> tuple[EventEnd, ...]:
    """All that relationships between a label and others lead to."""
    ends = dict[EventEnd, None]()
    for kind in schema.relationships:
        for here, there, is_back in (
            (kind.start_label, kind.end_label, False),
            (kind.end_label, kind.start_label, True),
        ):
            if here == label != there and there:
                owner = None if is_person([there]) else _find_owner(there, schema)
                end = EventEnd(Step(kind.type, is_back), there, is_person([there]), owner)
                ends[end] = None
    return tuple(ends)


def _find_owner(label: str, schema: Schema) -> EventEnd | None:
    """The persons who have nodes of a label; None where the schema has none."""
    known = _OWNING.union(read_name(label).words)
    return next(
        (
            EventEnd(Step(kind.type, reversed=True), kind.start_label, is_person=True)
            for kind in schema.relationships
            if kind.end_label == label
            and is_person([kind.start_label])
            and known.issuperset(read_name(kind.type).words)
        ),
        None,
    )


def _find_base(agent: EventEnd, patient: EventEnd) -> str:
    """The base form of the verb that makes the names of both ends: `call` of `caller` and `called`;
    empty where none does."""
    doing, done = _read_words(agent), _read_words(patient)
    if not len(doing) == len(done) == 1 or agent.step.reversed or patient.step.reversed:
        return ""
    verb = read_participle(done[0])
    return verb.base if verb and name_agent(verb.base) == doing[0] else ""


def _find_noun_base(label: str, agent: EventEnd, patient: EventEnd) -> str:
    """The base form of the verb that a label's noun is of, where the ends are called as those of
    such events; empty where it is of none."""
    noun = read_name(label).words[-1]
    own = {noun, *read_name(agent.label).words, *read_name(patient.label).words}
    fits = _DOING.issuperset({*_read_words(agent)} - own) and _CONTAINING.issuperset(
        {*_read_words(patient)} - own
    )
    is_done = fits and agent.is_person and agent.label != patient.label
    return _NOUNS.get(noun, "") if is_done else ""


def _fill(text: str, words: Mapping[str, str]) -> str:
    return re.sub(r"\[(\w+)\]", lambda slot: words[slot[1]], text)


def _read_words(end: EventEnd) -> tuple[str, ...]:
    return tuple(read_name(end.step.relation).words)
