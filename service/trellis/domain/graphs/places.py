"""Where nodes are: a property that holds a point, or two numbers, of latitude and longitude."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import PropertyKind
from trellis.domain.identifiers import split_identifier
from trellis.domain.structures.cypher import TypedText

_WGS84 = 4326  # the coordinate system of longitudes and latitudes
_LATITUDE = re.compile(r"(?<![a-z])lat(?:itude)?(?![a-z])")
_LONGITUDE = re.compile(r"(?<![a-z])(?:lon|lng|long|longitude)(?![a-z])")
_MOST_LATITUDE, _MOST_LONGITUDE = 90.0, 180.0


@dataclass(frozen=True, slots=True, order=True)
class PlaceProperty:
    """What tells where nodes of a label are: a property that holds a point, or, with `longitude`,
    two that hold numbers in degrees, `key` being the latitude."""

    key: str
    longitude: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The properties."""
        return (self.key, self.longitude) if self.longitude else (self.key,)

    def __str__(self) -> str:
        return " and ".join(self.keys)

    def read_point(self, node: Node) -> TypedText | None:
        """Where a node is; None where its properties hold no place on earth."""
        values = node.properties or {}
        first, second = values.get(self.key), values.get(self.longitude)
        if not self.longitude:
            return first if isinstance(first, TypedText) and first.type == "point" else None
        if not (_is_number(first) and _is_number(second)):
            return None
        x, y = float(second), float(first)  # type: ignore[arg-type]
        if abs(y) > _MOST_LATITUDE or abs(x) > _MOST_LONGITUDE:
            return None
        text = f"point({{srid: {_WGS84}, x: {x}, y: {y}}})"
        return TypedText(text, "point", {"srid": _WGS84, "x": x, "y": y})


def find_place_properties(kinds: Iterable[PropertyKind]) -> tuple[PlaceProperty, ...]:
    """Of the properties of a label those that hold points, sorted; where none does, the pairs of
    numbers that are called latitude and longitude, and otherwise alike."""
    listed = [*kinds]
    points = sorted(PlaceProperty(kind.name) for kind in listed if kind.type == "POINT")
    return tuple(points or sorted(_pair_numbers(listed)))


def _pair_numbers(kinds: Iterable[PropertyKind]) -> Iterator[PlaceProperty]:
    numbers = [kind.name for kind in kinds if kind.type in ("FLOAT", "INTEGER")]
    longitudes = _group_by_rest(numbers, _LONGITUDE)
    for rest, latitude in _group_by_rest(numbers, _LATITUDE).items():
        if rest in longitudes:
            yield PlaceProperty(latitude, longitudes[rest])


def _group_by_rest(names: Iterable[str], pattern: re.Pattern[str]) -> Mapping[str, str]:
    """The names that have a word, by what else they say: `start_lat` by `start `."""
    spaced = {name: " ".join(split_identifier(name)) for name in names}
    return {
        pattern.sub("", words, count=1): name
        for name, words in spaced.items()
        if pattern.search(words)
    }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
