"""Keeps what a former wording file says in a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trellis.domain.schema import Schema
from trellis.lexicon.wording_file import Wording
from trellis.training.wording_files.skeleton import iterate_properties


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


def _merge_relation(entry: Mapping[str, Any], former: Mapping[str, Any]) -> dict[str, Any]:
    back = {**entry["back"], **former.get("back", {})}
    return {**entry, **former, "back": back}
