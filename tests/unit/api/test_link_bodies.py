"""What a mention's links look like in a response."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.wire.bodies import MentionBody


@pytest.mark.parametrize(
    ("link", "told"),
    [
        (
            Link(Node("4:1", "Ulm", ("City", "Town")), 0.9, "exact"),
            {"name": "Ulm", "id": "4:1", "labels": ["City", "Town"], "property": None},
        ),
        *(
            (
                Link(StoredValue("Officer", "badge", value), 0.9, "exact"),
                {"name": name, "id": "", "labels": ["Officer"], "property": "badge"},
            )
            for value, name in (("Kim", "Kim"), (7, "7"), (7.0, "7"), (0.5, "0.5"), (True, "true"))
        ),
    ],
)
def test_a_node_has_an_id_and_a_value_has_a_property(link: Link, told: dict[str, object]) -> None:
    assert MentionBody.of(Mention(3, 6, "ulm", (link,))).model_dump() == {
        "text": "ulm",
        "start": 3,
        "end": 6,
        "links": [{**told, "score": 0.9, "how": "exact"}],
    }
