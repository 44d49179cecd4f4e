"""Describe filters: comparisons of properties with values, in plain words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from trellis.automata.cypher.meaning.query import Operator, QueryFilter
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import StoredValue
from trellis.linking.values.durations import describe_duration
from trellis.steps.describe.phrases import join_phrases, quote_text

_PART_TEXTS = {
    "year": "year of {}",
    "month": "month of {}",
    "day": "day of {}",
    "size": "size of {}",
    "lower": "{} in lower case",
    "integer": "{} (as a whole number)",
    "decimal": "{} (as a decimal number)",
}

_COMPLEMENTS: Mapping[Operator, Operator] = {
    "=": "<>",
    "<>": "=",
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
    "IS NULL": "IS NOT NULL",
    "IS NOT NULL": "IS NULL",
}
"""The comparison that holds where another does not; of what is not known neither does."""

_VERBS: Mapping[Operator, tuple[str, str]] = {
    "=": ("is", "is not"),
    "<>": ("is not", "is"),
    "<": ("is less than", "is not less than"),
    "<=": ("is at most", "is not at most"),
    ">": ("is greater than", "is not greater than"),
    ">=": ("is at least", "is not at least"),
    "CONTAINS": ("contains", "does not contain"),
    "STARTS WITH": ("starts with", "does not start with"),
    "ENDS WITH": ("ends with", "does not end with"),
    "HAS": ("includes", "does not include"),
    "IS NULL": ("is not known", "is known"),
    "IS NOT NULL": ("is known", "is not known"),
    "<= OR NULL": ("is not known or at most", "is known and greater than"),
    ">= OR NULL": ("is not known or at least", "is known and less than"),
}
"""How each operator is said, and how it is said where it is negated."""

_TEMPORAL_VERBS: Mapping[Operator, tuple[str, str]] = {
    "<": ("is before", "is not before"),
    "<=": ("is not after", "is after"),
    ">": ("is after", "is not after"),
    ">=": ("is not before", "is before"),
    "<= OR NULL": ("is not known or not after", "is known and after"),
    ">= OR NULL": ("is not known or not before", "is known and before"),
}

_LENGTH_VERBS: Mapping[Operator, tuple[str, str]] = {
    "<": ("is shorter than", "is not shorter than"),
    ">": ("is longer than", "is not longer than"),
}

_TEXT_VERBS: Mapping[Operator, tuple[str, str]] = {
    "<": ("comes before", "does not come before"),
    "<=": ("does not come after", "comes after"),
    ">": ("comes after", "does not come after"),
    ">=": ("does not come before", "comes before"),
}

_NUMBERS: Mapping[Operator, str] = {
    "=": "exactly",
    "<>": "any number but",
    "<": "fewer than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}


def write_property_name(word: str, part: str = "") -> str:
    """A property's word, with what of its value is meant."""
    return _PART_TEXTS.get(part, f"{part} of {{}}").format(word) if part else word


class FilterDescriber:
    """Describes filters over the linked values of a query."""

    def __init__(self, values: Sequence[StoredValue]) -> None:
        self._values = values

    def describe_comparison(
        self, each: QueryFilter, reference: str = "", value_type: str = ""
    ) -> str:
        """What holds of a property, from the verb on: `is at least 5`.

        `reference`: what it is compared with in place of a value, which has that type.
        """
        operator, is_negated = each.operator, each.is_negated
        if is_negated and operator in _COMPLEMENTS:
            operator, is_negated = _COMPLEMENTS[operator], False
        types = {self._values[index].type for choice in each.list_choices() for index in choice}
        verb, negated = _find_verbs(operator, types or {value_type})
        if each.reference:
            return f"{negated if is_negated else verb} {reference}"
        choices = [self.write_choice(choice, each.part) for choice in each.list_choices()]
        if not choices:
            return negated if is_negated else verb
        if len(choices) > 1 and (is_negated or operator == "<>"):
            affirmed = negated if operator == "<>" else verb
            return f"{affirmed} neither {join_phrases(choices, 'nor')}"
        return f"{negated if is_negated else verb} {join_phrases(choices, 'or')}"

    def write_choice(self, choice: Sequence[int], part: str = "") -> str:
        """The values that are said alike, of which one is meant."""
        texts = dict.fromkeys(self._write_value(self._values[index], part) for index in choice)
        return " or else ".join(texts)

    def describe_period(self, filters: Sequence[QueryFilter]) -> str:
        """The time at which a relationship held, by the filters of its beginning and its end:
        `on 2020-05-01`; empty where they are not both there."""
        ends = {each.operator: self.write_choice(each.values) for each in filters}
        last, first = ends.get("<= OR NULL"), ends.get(">= OR NULL")
        if not last or not first:
            return ""
        if first == last:
            return f"in {first}" if first.isdecimal() else f"on {first}"
        return f"at some time from {first} to {last}"

    def describe_number(self, operator: Operator, choice: Sequence[int]) -> str:
        """How a number is compared: `more than 8`."""
        return f"{_NUMBERS.get(operator, operator)} {self.write_choice(choice)}"

    def _write_value(self, stored: StoredValue, part: str) -> str:
        value: Scalar = stored.value
        if isinstance(value, str) and part == "lower":
            value = value.lower()
        if isinstance(value, str) and stored.type == "DURATION":
            return describe_duration(value)
        if isinstance(value, str) and stored.type == "STRING":
            return quote_text(value)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        return str(value)


def _find_verbs(operator: Operator, types: Collection[str]) -> tuple[str, str]:
    """How an operator is said of values of some types, and how it is said where it is negated."""
    plain = _VERBS.get(operator, (operator.lower(), f"not {operator.lower()}"))
    if all(name == "DURATION" for name in types):
        return _LENGTH_VERBS.get(operator, plain)
    if all("DATE" in name or "TIME" in name for name in types):
        return _TEMPORAL_VERBS.get(operator, plain)
    if all(name == "STRING" for name in types):
        return _TEXT_VERBS.get(operator, plain)
    return plain
