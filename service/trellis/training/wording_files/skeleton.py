"""The skeleton of a wording file: what the lexicon and a schema's own names say, or a former file
in their place."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.phrases import Phrases
from trellis.lexicon.wording_file import PROPERTY_KEYS, RELATION_KEYS, Wording


@dataclass(frozen=True, slots=True)
class BareNames:
    """The names of a schema that have no phrases beside those which the name itself gives.

    `relations`: a type, or `^type` for the other direction. `properties`: each with its owner.
    """

    relations: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()


def build_skeleton(schema: Schema) -> Wording:
    """A wording for every relationship type, label and property of a schema.

    Of a type that ends in nodes of several labels only the phrases stand here that hold for each of
    them: those of one label alone are found by its name as before.
    """
    book = Phrasebook.of_schema(schema)
    return {
        "relations": {
            name: _describe_relation(name, schema, book) for name in schema.relation_types
        },
        "types": {
            kind.label: list(nouns)
            for kind in schema.labels
            if (nouns := book.type_nouns(kind.label))
        },
        "properties": {
            f"{owner}.{kind.name}": _describe_property(owner, kind, book)
            for owner, kind in iterate_properties(schema)
        },
    }


def find_bare_names(schema: Schema, skeleton: Wording, wording: Wording) -> BareNames:
    """The names that the lexicon does not know, and of which a wording says what the skeleton does.

    A label without a meaning, such as `Entity`, is not among them.
    """
    book = Phrasebook.of_schema(schema)
    same = _list_equal_entries(skeleton, wording)
    steps = [Step(name, back) for name in schema.relation_types for back in (False, True)]
    kinds = iterate_properties(schema)
    return BareNames(
        tuple(str(s) for s in steps if f"relations.{s}" in same and not book.knows_step(s)),
        tuple(
            kind.label
            for kind in schema.labels
            if f"types.{kind.label}" in same and not book.knows_label(kind.label)
        ),
        tuple(
            f"{owner}.{kind.name}"
            for owner, kind in kinds
            if f"properties.{owner}.{kind.name}" in same and not book.knows_property(owner, kind)
        ),
    )


def keep_former(skeleton: Wording, former: Wording, schema: Schema) -> Wording:
    """A skeleton in which the lists of a former file stand in place of its own.

    What a former file says of a property of any owner (`name`) is said of each owner's.
    """
    relations = former.get("relations", {})
    own = former.get("properties", {})
    properties = {
        f"{owner}.{kind.name}": own.get(f"{owner}.{kind.name}") or own.get(kind.name) or {}
        for owner, kind in iterate_properties(schema)
    }
    return {
        "relations": {
            name: _merge_relation(entry, relations.get(name, {}))
            for name, entry in skeleton["relations"].items()
        },
        "types": {
            **skeleton["types"],
            **{
                kind.label: former["types"][kind.label]
                for kind in schema.labels
                if kind.label in former.get("types", {})
            },
        },
        "properties": {
            name: {**entry, **properties[name]} for name, entry in skeleton["properties"].items()
        },
    }


def list_dropped(former: Wording, schema: Schema) -> list[str]:
    """What a former file speaks of and a schema has not, as `relations.NAME`, sorted."""
    kinds = list(iterate_properties(schema))
    known = {
        "relations": {kind.type for kind in schema.relationships},
        "types": {kind.label for kind in schema.labels},
        "properties": {f"{owner}.{kind.name}" for owner, kind in kinds}
        | {kind.name for _, kind in kinds},
    }
    return sorted(
        f"{part}.{name}"
        for part, names in known.items()
        for name in former.get(part, {})
        if name not in names
    )


def format_wording(wording: Wording) -> str:
    """The text of a file: keys sorted, empty lists left out."""
    return json.dumps(_drop_empty(wording), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def list_end_labels(schema: Schema, step: Step) -> list[str]:
    """The labels of the nodes that a step ends in, sorted; empty texts for nodes without any."""
    kinds = [kind for kind in schema.relationships if kind.type == step.relation]
    return sorted({kind.start_label if step.reversed else kind.end_label for kind in kinds})


def iterate_properties(schema: Schema) -> Iterator[tuple[str, PropertyKind]]:
    """The properties of labels and relationship types, each with its owner."""
    for label in schema.labels:
        for kind in label.properties:
            yield label.label, kind
    for owner, kinds in schema.relationship_properties.items():
        for kind in kinds:
            yield owner, kind


def _describe_relation(name: str, schema: Schema, book: Phrasebook) -> Mapping[str, Any]:
    forward, back = (
        _describe_phrases(
            [book.phrases_of(step, label or None) for label in list_end_labels(schema, step)]
        )
        for step in (Step(name), Step(name, True))
    )
    return {**forward, "back": back}


def _describe_phrases(by_label: Sequence[Phrases]) -> dict[str, Any]:
    """What the phrases for each end label have in common."""
    first, *others = by_label
    common: dict[str, Any] = {
        key: _keep_common(getattr(first, key), [getattr(other, key) for other in others])
        for key in RELATION_KEYS
    }
    return {**common, "wh": first.wh}


def _keep_common(texts: Sequence[str], others: Sequence[Collection[str]]) -> list[str]:
    return [text for text in texts if all(text in other for other in others)]


def _describe_property(owner: str, kind: PropertyKind, book: Phrasebook) -> dict[str, list[str]]:
    phrases = book.property_phrases(owner, kind)
    return {key: list(getattr(phrases, field)) for key, field in PROPERTY_KEYS.items()}


def _list_equal_entries(wording: Wording, other: Wording) -> set[str]:
    """The names, each with its part, of which two wordings say the same; the directions of a
    relation count as two."""
    flat = [_flatten_entries(compared) for compared in (wording, other)]
    return {name for name, entry in flat[0].items() if flat[1].get(name) == entry}


def _flatten_entries(wording: Wording) -> dict[str, Any]:
    whole = _drop_empty(wording)
    entries = {f"{part}.{name}": entry for part, of in whole.items() for name, entry in of.items()}
    for name, entry in whole["relations"].items():
        entries[f"relations.{name}"] = {k: v for k, v in entry.items() if k != "back"}
        entries[f"relations.^{name}"] = entry["back"]
    return entries


def _drop_empty(value: Any) -> Any:
    """A value without the empty lists inside; entries that get empty are kept, to be filled."""
    if not isinstance(value, Mapping):
        return value
    return {key: _drop_empty(content) for key, content in value.items() if content != []}


def _merge_relation(entry: Mapping[str, Any], former: Mapping[str, Any]) -> dict[str, Any]:
    back = {**entry["back"], **former.get("back", {})}
    return {**entry, **former, "back": back}
