"""Decides which property names the nodes of a label, and which properties hold aliases."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.errors import InputError
from trellis.domain.graphs.graph_config import GraphConfig
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.names import is_reserved

CANDIDATES = ("name", "title", "label", "full_name", "fullname", "display_name", "caption")
"""Properties that name a node on any label, best first; compared without case and `_`."""

_SAMPLE = 1_000  # nodes of a label
_DISTINCT_SHARE = 0.9  # least share of different values in a property that identifies nodes
_LONGEST_ALIAS = 60  # characters; longer texts are descriptions
_FAMILY_NAMES, _FAMILY_SHARE = ("surname", "lastname", "familyname"), 0.2
_LEAST_ALIASED = 2  # nodes with the property
_MOST_ALIASES = 20  # of one node
_IDENTIFIER = re.compile(
    r"(?:^|[_ ]|(?<=[a-z])(?=[A-Z]))(?:code|key|number|no|nr|uuid|guid|uri|url|iri|hash|ref)$|id$",
    re.IGNORECASE,
)
"""Names of properties that tell nodes apart and are not read: `order_no`, `postCode`, `isbnId`."""

_NAMING = re.compile(r"(?:name|title|label|caption|symbol|heading|headline)$", re.IGNORECASE)
"""Names of properties that say that they name something: `companyName`, `symbol` of a gene."""

_SEPARATOR = re.compile(r"\s*[;|]\s*")

_LABELS = "CALL db.labels() YIELD label RETURN label"
_UNIQUE = """
SHOW CONSTRAINTS YIELD type, labelsOrTypes, properties
WHERE (type CONTAINS 'UNIQUENESS' OR type CONTAINS 'KEY') AND size(properties) = 1
RETURN labelsOrTypes[0] AS label, properties[0] AS property
"""
_SAMPLE_QUERY = """
MATCH (n:{label}) WITH n LIMIT $limit
UNWIND [key IN keys(n) WHERE NOT toLower(key) STARTS WITH '_trellis'] AS property
WITH property, n[property] AS value
RETURN property, count(*) AS present, count(DISTINCT value) AS different,
       all(kind IN collect(DISTINCT valueType(value)) WHERE kind STARTS WITH 'STRING') AS textual,
       all(kind IN collect(DISTINCT valueType(value))
           WHERE kind STARTS WITH 'STRING' OR kind STARTS WITH 'LIST<STRING') AS texts,
       max(size(toStringOrNull(value))) AS longest
"""


@dataclass(frozen=True, slots=True)
class LabelNaming:
    """A label, the count of its nodes, their naming property (None: none), and alias properties."""

    label: str
    count: int
    property: str | None
    aliases: tuple[str, ...] = ()


class Naming:
    """Finds the naming text and the aliases of any node by its labels."""

    def __init__(self, labels: Sequence[LabelNaming]) -> None:
        rarest_first = sorted(labels, key=lambda kind: (kind.count, kind.label))
        self._property_of_label = {
            kind.label: kind.property for kind in rarest_first if kind.property
        }
        chosen = dict.fromkeys([*self._property_of_label.values(), *CANDIDATES[:3]])
        self.properties: tuple[str, ...] = tuple(chosen)
        self._position_of = {name: index for index, name in enumerate(self.properties)}
        self._aliases_of_label = {kind.label: kind.aliases for kind in rarest_first}
        self.alias_properties = tuple(sorted({a for kind in labels for a in kind.aliases}))

    def find_name(self, labels: Sequence[str], values: Sequence[str | None]) -> str | None:
        """The first naming property that is not blank: of the rarest label first, of the candidates
        last; None if all are blank.

        `values` are the values of `self.properties` as texts, in that order.
        """
        of_labels = [p for label, p in self._property_of_label.items() if label in labels]
        for name in (*of_labels, *CANDIDATES[:3]):
            if (value := values[self._position_of[name]]) and value.strip():
                return value
        return None

    def list_rules(self) -> list[list[str]]:
        """The label and the property of each rule of `find_name`, the first that fits first; an
        empty label fits all nodes."""
        of_labels = [[label, name] for label, name in self._property_of_label.items()]
        return [*of_labels, *(["", name] for name in CANDIDATES[:3])]

    def find_aliases(self, labels: Sequence[str], values: Sequence[Any]) -> list[str]:
        """A node's other names; `values` are its `alias_properties` in order, texts or lists."""
        own = {name for label in labels for name in self._aliases_of_label.get(label, ())}
        texts = [
            text
            for name, value in zip(self.alias_properties, values, strict=True)
            if name in own
            for text in _split_names(value)
        ]
        return list(dict.fromkeys(texts))[:_MOST_ALIASES]


def _split_names(value: Any) -> list[str]:
    """The names in a value: a list, or a text that separates them by `;` or `|`."""
    values = value if isinstance(value, list) else [value]
    texts = (text for item in values if isinstance(item, str) for text in _SEPARATOR.split(item))
    return [text.strip() for text in texts if 0 < len(text.strip()) <= _LONGEST_ALIAS]


async def decide_naming(
    connection: GraphConnection, overrides: Mapping[str, str], config: GraphConfig
) -> list[LabelNaming]:
    """Decide the naming property of every label that is not hidden.

    `overrides` (label → property) overrules the data. Raises InputError for an unknown label.
    """
    names = [r["label"] for r in await connection.read_rows(_LABELS) if not is_reserved(r["label"])]
    labels = [name for name in names if name not in config.hidden_labels]
    if unknown := sorted(set(overrides) - set(labels)):
        raise InputError(
            f"no node has label {', '.join(unknown)}", f"there are {', '.join(sorted(labels))}"
        )
    unique = {(r["label"], r["property"]) for r in await connection.run_command(_UNIQUE)}
    return [
        await _decide_label_naming(connection, x, overrides, unique, config) for x in sorted(labels)
    ]


async def _decide_label_naming(
    connection: GraphConnection,
    label: str,
    overrides: Mapping[str, str],
    unique: set[tuple[str, str]],
    config: GraphConfig,
) -> LabelNaming:
    count_query = f"MATCH (n:{quote_name(label)}) RETURN count(n) AS count"
    count: int = (await connection.read_rows(count_query))[0]["count"]
    sampled = await connection.read_rows(
        _SAMPLE_QUERY.format(label=quote_name(label)), limit=_SAMPLE
    )
    rows = [row for row in sampled if config.shows_property(label, row["property"])]
    singles = {name for of, name in unique if of == label}
    return _choose_naming(label, count, rows, singles, overrides.get(label))


def guess_naming(nodes: Iterable[tuple[Sequence[str], Mapping[str, Any]]]) -> list[LabelNaming]:
    """What `decide_naming` will say of a new database with these nodes (labels, properties)."""
    counts: Counter[str] = Counter()
    samples: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for labels, properties in nodes:
        for label in labels:
            counts[label] += 1
            if counts[label] <= _SAMPLE:
                samples[label].append(properties)
    return [
        _choose_naming(label, counts[label], _summarize_properties(samples[label]), set(), None)
        for label in sorted(counts)
    ]


def _summarize_properties(sample: Iterable[Mapping[str, Any]]) -> list[Row]:
    """The rows of `_SAMPLE_QUERY`."""
    values: dict[str, list[Any]] = defaultdict(list)
    for properties in sample:
        for name, value in properties.items():
            values[name].append(value)
    return [
        {
            "property": name,
            "present": len(some),
            "different": len(set(map(repr, some))),
            "textual": all(isinstance(value, str) for value in some),
            "texts": all(_is_text(value) for value in some),
            "longest": max((len(str(x)) for x in some if not isinstance(x, list)), default=None),
        }
        for name, some in values.items()
    ]


def _is_text(value: Any) -> bool:
    return all(isinstance(item, str) for item in (value if isinstance(value, list) else [value]))


def _choose_naming(
    label: str, count: int, rows: Sequence[Row], unique: set[str], fixed: str | None
) -> LabelNaming:
    naming = fixed or _choose_property(rows, unique, min(count, _SAMPLE))
    return LabelNaming(label, count, naming, _choose_aliases(rows, naming) if naming else ())


def _choose_aliases(rows: Iterable[Row], naming: str) -> tuple[str, ...]:
    """The properties with short texts that hardly any two nodes share, however rare they are."""
    distinctive = (
        row["property"]
        for row in rows
        if row["texts"]
        and row["property"] not in (naming, "id")
        and row["different"] >= max(_LEAST_ALIASED, _least_distinct_share(row) * row["present"])
        and (row["longest"] or 0) <= _LONGEST_ALIAS
    )
    return tuple(sorted(distinctive))


def _choose_property(rows: Iterable[Row], unique: set[str], sampled: int) -> str | None:
    """A candidate that at least half of the nodes have, else a unique or mostly distinct one."""
    usual = [row for row in rows if row["present"] >= sampled / 2]
    plain: dict[str, str] = {_normalize_name(row["property"]): row["property"] for row in usual}
    for candidate in CANDIDATES:
        if _normalize_name(candidate) in plain:
            return plain[_normalize_name(candidate)]
    telling = [row for row in usual if row["property"] in unique or _is_distinctive(row, sampled)]
    ranked: list[str] = [
        row["property"] for row in sorted(telling, key=lambda r: _rank_property(r, unique))
    ]
    return ranked[0] if ranked else None


def _least_distinct_share(row: Row) -> float:
    """Least share of different values in an alias property; family names may repeat more often."""
    return _FAMILY_SHARE if _normalize_name(row["property"]) in _FAMILY_NAMES else _DISTINCT_SHARE


def _normalize_name(name: str) -> str:
    return name.lower().replace("_", "")


def _is_distinctive(row: Row, sampled: int) -> bool:
    return bool(row["textual"]) and row["different"] >= _DISTINCT_SHARE * sampled


def _rank_property(row: Row, unique: set[str]) -> tuple[bool, bool, bool, bool, int, str]:
    """Sort key: properties that people read first, then unique ones, then those that are called
    as what names something, then those that are no identifiers by their name, then those with the
    most different values."""
    name = row["property"]
    is_identifier = bool(_IDENTIFIER.search(name))
    is_read = row["textual"] and not is_identifier and (row["longest"] or 0) <= _LONGEST_ALIAS
    is_naming = bool(_NAMING.search(name))
    return not is_read, name not in unique, not is_naming, is_identifier, -row["different"], name
