"""Describe distances in plain English: `1.24 km`, and what was asked of them."""

from __future__ import annotations

from trellis.lexicon.plurals import is_plural, make_plural
from trellis.linking.questions.distances import METRES, DistanceRequest
from trellis.steps.describe.phrases import join_phrases, quote_text

AS_THE_CROW_FLIES = "as the crow flies"

_COMPARED = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}


def describe_length(distance: float, unit: str, *, is_on_earth: bool) -> str:
    """A distance in the unit that is asked for, else in metres or kilometres: `850 m`, `12.4 km`.
    One on a plane has the unit of its coordinates, which is not known, and is a number alone."""
    if not is_on_earth:
        return _write_number(distance)
    unit = unit or ("km" if distance >= METRES["km"] else "m")
    return f"{_write_number(distance / METRES[unit])} {unit.replace('mi', 'miles')}"


def name_kinds(request: DistanceRequest, count: int) -> str:
    """The nouns of the kinds that are asked for: `stations`, of one `station`."""
    nouns = request.nouns or ("thing",)
    return join_phrases([it if count == 1 or is_plural(it) else make_plural(it) for it in nouns])


def describe_distance_search(request: DistanceRequest, count: int, kind: str, origin: str) -> str:
    """What is asked for: `the 3 stations nearest to Oak Street`. `kind`: a noun, of its `count`."""
    start = quote_text(origin)
    if request.comparison:
        return f"{kind} {_describe_amount(request)} from {start}, {AS_THE_CROW_FLIES}"
    number = f"{count} " if count > 1 else ""
    goal = f"nearest to {start}" if request.order == "nearest" else f"farthest from {start}"
    return f"the {number}{kind} {goal}, {AS_THE_CROW_FLIES}"


def describe_distance_between(request: DistanceRequest, first: str, second: str) -> str:
    """`the distance between Oak Street and Elm, as the crow flies`."""
    ends = f"{quote_text(first)} and {quote_text(second)}"
    whether = f"whether it is {_describe_amount(request)}"
    return ", ".join(
        filter(
            None,
            (
                f"the distance between {ends}",
                AS_THE_CROW_FLIES,
                whether if request.comparison else "",
            ),
        )
    )


def describe_missing(nodes: int, placed: int, measured: int, kind: str, origin: str) -> str:
    """Which nodes were left out, as nothing tells how far they are; empty where none were."""
    without, foreign = nodes - placed, placed - measured
    told = []
    if without:
        told.append(f"nothing tells where {without:,} of {nodes:,} {kind} are")
    if foreign:
        told.append(
            f"{foreign:,} of {nodes:,} {kind} have coordinates of another kind than "
            f"{quote_text(origin)}, between which there is no distance"
        )
    return "; ".join(told)


def _describe_amount(request: DistanceRequest) -> str:
    """What distances are compared with: `at most 5 km`."""
    unit = request.unit.replace("mi", "miles")
    return f"{_COMPARED[request.comparison or '<=']} {request.amount:,g} {unit}".strip()


def _write_number(number: float) -> str:
    """Three digits, or all before the point."""
    return f"{round(number):,}" if number >= 100 else f"{float(f'{number:.3g}'):g}"
