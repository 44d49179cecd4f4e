"""What a mention's links look like in a response."""

from __future__ import annotations

import pytest

from trellis.domain.graph import Node, Scalar
from trellis.domain.links import Link, Mention, StoredValue
from trellis.wire.bodies import MentionBody


def test_a_node_has_an_id_and_no_property() -> None:
    link = Link(Node("4:1", "Ulm", ("City", "Town")), 0.9, "exact")
    assert MentionBody.of(Mention(3, 6, "ulm", (link,))).model_dump() == {
        "text": "ulm",
        "start": 3,
        "end": 6,
        "links": [
            {
                "name": "Ulm",
                "id": "4:1",
                "labels": ["City", "Town"],
                "score": 0.9,
                "how": "exact",
                "property": None,
            }
        ],
    }


@pytest.mark.parametrize(
    ("value", "name"), [("Kim", "Kim"), (7, "7"), (7.0, "7"), (0.5, "0.5"), (True, "true")]
)
def test_a_value_has_a_property_and_no_id(value: Scalar, name: str) -> None:
    link = Link(StoredValue("Officer", "badge", value), 0.8, "number")
    [body] = MentionBody.of(Mention(0, 3, "kim", (link,))).links
    assert body.model_dump() == {
        "name": name,
        "id": "",
        "labels": ["Officer"],
        "score": 0.8,
        "how": "number",
        "property": "badge",
    }
