"""The examples of an OpenAPI description, as requests that can be sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode


@dataclass(frozen=True, slots=True)
class Request:
    """One example of a request, whole."""

    verb: str
    address: str
    body: Any = None


def all_requests(described: Mapping[str, Any]) -> list[Request]:
    """Every example there is, in the order of the description: questions come first, and what
    deletes comes last, single things before all."""
    listed = [
        request
        for address, operations in described["paths"].items()
        for verb, operation in operations.items()
        for request in requests(described, address, verb, operation)
    ]
    return sorted(listed, key=lambda it: -it.address.count("/") if it.verb == "delete" else -99)


def requests(
    described: Mapping[str, Any], address: str, verb: str, operation: Mapping[str, Any]
) -> Iterator[Request]:
    """The examples of one operation: its parameters' first ones with each of its bodies."""
    query: dict[str, Any] = {}
    for parameter in operation.get("parameters", ()):
        for value in _examples(parameter)[:1] or _examples(parameter["schema"])[:1]:
            if parameter["in"] == "path":
                address = address.replace(f"{{{parameter['name']}}}", value)
            else:
                query[parameter["name"]] = value
    assert "{" not in address, f"{address}: a parameter has no example"
    sent = f"{address}?{urlencode(query)}" if query else address
    for body in _bodies(described, operation):
        yield Request(verb, sent, body)


def _bodies(described: Mapping[str, Any], operation: Mapping[str, Any]) -> list[Any]:
    if "requestBody" not in operation:
        return [None]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return _examples(described["components"]["schemas"][schema["$ref"].rpartition("/")[2]])


def _examples(place: Mapping[str, Any]) -> list[Any]:
    return list(place.get("examples", [place["example"]] if "example" in place else []))


def responses(operation: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """Media type, schema and example of whatever an operation answers when all is well."""
    return [
        (kind, content.get("schema"), example)
        for status, response in operation["responses"].items()
        if status.startswith("2")
        for kind, content in response.get("content", {}).items()
        for example in _shown(content)
    ]


def _shown(content: Mapping[str, Any]) -> list[Any]:
    """The examples of one media type, which are one or several by name."""
    if "examples" in content:
        return [each["value"] for each in content["examples"].values()]
    return [content["example"]]
