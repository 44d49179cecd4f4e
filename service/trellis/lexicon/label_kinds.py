"""What kind of thing labels say that a node is: a person, what people make up, a place, a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from trellis.lexicon.names import read_name
from trellis.lexicon.plurals import make_plural

_PERSONS = frozenset(
    """actor actress adult advisor agent analyst architect artist assistant astronaut
    athlete attendee author boy candidate captain caregiver character chef chief child
    citizen client clinician coach colleague composer contact contractor cook cosmonaut
    councillor counsellor critic curator customer dancer dentist deputy designer detective
    developer diplomat director doctor donor driver editor employee engineer executive
    explorer farmer father fighter friend girl governor graduate guard guest guide hero
    historian human individual instructor inventor investigator journalist judge king knight
    laureate lawyer lecturer legislator librarian man manager mathematician mayor mechanic
    member mentor minister monarch mother musician nurse officer official operator painter
    parent participant passenger patient people performer person pharmacist philosopher
    photographer physician pilot player poet politician pope president priest professor
    programmer prophet psychologist pupil queen recruiter referee reporter representative
    researcher resident reviewer rider ruler sailor saint scholar scientist senator sergeant
    singer soldier speaker specialist spouse staff student supervisor surgeon suspect
    teacher technician therapist trainer translator traveler traveller tutor user victim
    visitor volunteer voter waiter warrior witness woman worker writer""".split()  # noqa: SIM905
)
_ANYBODY = frozenset(("human", "individual", "people", "person"))
_ANY_PERSONS = _ANYBODY.union(("persons", "humans", "individuals", "man", "men", "woman", "women"))
_PEOPLES = frozenset(
    """agency alliance association authority band bank brand business buyer choir city club
    college committee community company continent council country court crew customer department
    developer empire family federation firm founder government group hospital institution
    investor kingdom label league maker manufacturer merchant ministry nation network office
    orchestra org organisation organization owner partner party police producer provider publisher
    region school seller shop sponsor state store studio supplier team tenant trader tribe union
    university user vendor village winner""".split()  # noqa: SIM905
)
_PLACES = frozenset(
    """address airport archive area arena base basement beach branch building campus camp church
    cinema city clinic continent country county depot district dock facility factory farm field
    floor gallery garden hall harbour headquarters hospital hotel house island kitchen lab
    laboratory lake library location market mountain municipality museum neighborhood neighbourhood
    ocean office park place planet plant plaza port postcode province rack region restaurant room
    school sea shelf shop site stadium state station storage store street studio terminal theater
    theatre town university venue village ward warehouse wing workshop yard zone""".split()  # noqa: SIM905
)
_TIMES = frozenset(("century", "date", "day", "decade", "month", "season", "time", "year"))
_AGENTS = _PERSONS | _PEOPLES
_PERSON_NOUNS = _PERSONS.union(map(make_plural, _PERSONS)) - _ANY_PERSONS


def is_person(labels: Iterable[str]) -> bool:
    """Whether a node with these labels is a person."""
    return _has_word(labels, _PERSONS)


def is_person_noun(noun: str) -> bool:
    """Whether a noun, or its plural, stands for persons of some kind: `singers`."""
    return noun in _PERSON_NOUNS


def is_generic_person_noun(noun: str) -> bool:
    """Whether a noun stands for persons of any kind: `people`, whom a graph may call users."""
    return noun in _ANY_PERSONS


def find_anybody(labels: Iterable[str]) -> str | None:
    """The label of those of whom a question speaks by `everyone`: of persons of any kind, or the
    only one of persons; None where there is none."""
    persons = [label for label in labels if is_person([label])]
    general = [label for label in persons if _has_word([label], _ANYBODY)]
    return next((found[0] for found in (general, persons) if len(found) == 1), None)


def is_agent(labels: Iterable[str]) -> bool:
    """Whether `who` may ask for such a node: a person, or what people make up."""
    return _has_word(labels, _AGENTS)


def is_place(labels: Iterable[str]) -> bool:
    """Whether such a node is a place."""
    return _has_word(labels, _PLACES)


def is_time(labels: Iterable[str]) -> bool:
    """Whether such a node is a day, a year or the like."""
    return _has_word(labels, _TIMES)


def _has_word(labels: Iterable[str], words: Collection[str]) -> bool:
    return any(not frozenset(read_name(label).words).isdisjoint(words) for label in labels)
