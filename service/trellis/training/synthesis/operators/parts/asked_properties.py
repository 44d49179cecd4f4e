"""Draws properties with their phrases, and values and numbers that are like theirs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from trellis.automata.cypher.meaning.value_rendering import TEMPORAL_FUNCTIONS
from trellis.domain.graphs.schema import LabelKind, PropertyKind
from trellis.domain.identifiers import quote_name
from trellis.lexicon.property_phrases import PropertyPhrases, is_ordered, is_year, list_numbers
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.named_nodes import is_whole_name

SIGNS = {
    "above": ">",
    "below": "<",
    "at_least": ">=",
    "at_most": "<=",
    "equal": "=",
    "exactly": "=",
}
"""The signs of comparisons, by the kinds of frames that say them."""

_FLAT = 0.3  # exponent of a count in its weight
_UNIT = 0.5  # probability of a unit behind a number
_ADJECTIVE = 0.6  # probability that an adjective says a property, without its noun
_EXAMPLES = (50, 500, 5_000)  # numbers like those of a property without examples
_FACTORS = (0.5, 0.8, 1, 1.5, 2)  # of an example, in a number that is like it
_YEARS = (1990, 2029)  # years of properties without examples
_ROUND = 3_000  # numbers from which on only two digits are said


@dataclass(frozen=True, slots=True)
class AskedProperty:
    """A property of a label, its phrases, and one of its nouns."""

    owner: str
    kind: PropertyKind
    phrases: PropertyPhrases
    noun: str

    @property
    def column(self) -> str:
        """The property of a node `n` in Cypher."""
        return f"n.{quote_name(self.kind.name)}"

    @property
    def measure(self) -> str:
        """The property of a node `n` as it is compared: a number that is stored as a text too."""
        return self._write_measure("n")

    @property
    def other_measure(self) -> str:
        """The same of the node `m` that `n` is compared with."""
        return self._write_measure("m")

    def _write_measure(self, variable: str) -> str:
        column = f"{variable}.{quote_name(self.kind.name)}"
        return f"toInteger({column})" if self.kind.type == "STRING" else column

    @property
    def conditions(self) -> tuple[str, ...]:
        """That a node has a value, where some have none."""
        return (f"{self.column} IS NOT NULL",) if self.kind.share < 1 else ()


def draw_property(drawing: Drawing, *, ordered: bool = False) -> AskedProperty | None:
    """A property that can be asked for, but for flags; None where the schema has none. `ordered`:
    one whose values can be compared."""
    owned = [
        (kind, each)
        for kind in drawing.sets.labels.values()
        for each in kind.properties
        if _can_be_asked_for(kind, each) and (not ordered or is_ordered(each))
    ]
    if not owned:
        return None
    weights = [max(1, kind.count) ** _FLAT for kind, _ in owned]
    kind, each = drawing.words.choice.choices(owned, weights)[0]
    return _find_property(drawing, kind.label, each)


def _can_be_asked_for(owner: LabelKind, kind: PropertyKind) -> bool:
    """Whether a property has values of its own to ask for: no flag, and not what names its node."""
    return not kind.is_flag and not is_whole_name(owner, kind.name)


def draw_shown_property(
    drawing: Drawing, label: str, without: Collection[str] = ()
) -> AskedProperty | None:
    """A property that can be shown beside a node of a label, but for its name and for some; None
    where there is none."""
    kind = drawing.find_label(label)
    owned = [
        each
        for each in kind.properties
        if each.name not in without and _can_be_asked_for(kind, each)
    ]
    return _find_property(drawing, label, drawing.words.choice.choice(owned)) if owned else None


def draw_compared(drawing: Drawing) -> AskedProperty | None:
    """A property by which named nodes can be compared; None where one is drawn that has no
    names."""
    asked = draw_property(drawing, ordered=True)
    return asked if asked and drawing.find_label(asked.owner).naming else None


def draw_property_of(drawing: Drawing, label: str) -> AskedProperty | None:
    """A property of a label whose values can be compared; None where it has none."""
    kind = drawing.find_label(label)
    ordered = [each for each in kind.properties if is_ordered(each) and each.name != kind.naming]
    if not ordered:
        return None
    return _find_property(drawing, label, drawing.words.choice.choice(ordered))


def say_degree(
    drawing: Drawing, asked: AskedProperty, adjectives: tuple[str, ...], slot: str
) -> dict[str, str | None]:
    """The slots of a comparison: `p` the property's noun, None where an adjective has to say it,
    and `slot` an adjective, None where it has none."""
    words = drawing.words
    is_noun_left_out = adjectives and (is_year(asked.kind) or words.flip(_ADJECTIVE))
    noun = None if is_noun_left_out else asked.noun
    return {"p": noun, slot: words.pick(adjectives) if adjectives else None}


def add_value(drawing: Drawing, asked: AskedProperty) -> str:
    """A new topic that is a text or a number of a property."""
    if asked.kind.type == "STRING":
        return drawing.topics.add_value(asked.owner, asked.kind.name)
    return add_number(drawing, asked.kind)


def add_number(drawing: Drawing, kind: PropertyKind) -> str:
    """A new topic that is a number like those of a property, unlike the question's others."""
    choice = drawing.words.choice
    examples = list_numbers(kind) or _EXAMPLES
    number = float(choice.choice(examples)) * choice.choice(_FACTORS)
    is_rounded = number > _ROUND or kind.type == "FLOAT"
    value = int(float(f"{number:.2g}")) if is_rounded else round(number)
    return drawing.topics.add_number(_find_free(value, drawing))


def add_year(drawing: Drawing, kind: PropertyKind) -> str:
    """A new topic that is a year like those of a property."""
    years = [int(text[:4]) for each in kind.examples if (text := str(each))[:4].isdigit()]
    choice = drawing.words.choice
    return drawing.topics.add_number(choice.choice(years) if years else choice.randint(*_YEARS))


def write_time(kind: PropertyKind, topic: str) -> str:
    """A topic that is a value of a property of days or times, as Cypher."""
    return f"{TEMPORAL_FUNCTIONS[kind.type]}('{topic}')"


def add_unit(drawing: Drawing, number: str, asked: AskedProperty) -> str:
    """A number, now and then with one of its property's units."""
    units, words = asked.phrases.units, drawing.words
    return f"{number} {words.pick(units)}" if units and words.flip(_UNIT) else number


def _find_property(drawing: Drawing, owner: str, kind: PropertyKind) -> AskedProperty:
    phrases = drawing.book.property_phrases(owner, kind)
    return AskedProperty(owner, kind, phrases, drawing.words.pick(phrases.nouns or (kind.name,)))


def _find_free(value: int, drawing: Drawing) -> int:
    """The value, or the next that is no topic yet."""
    taken = {topic.number for topic in drawing.topics.listed}
    while value in taken:
        value += 1
    return value
