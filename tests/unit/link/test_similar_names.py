"""Names that are not in the graph: which ones are nearly so, and what a reply says of them."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, LinkKind, Mention, StoredValue
from trellis.linking.names.candidates import fuse_links
from trellis.linking.names.closeness import measure_closeness
from trellis.steps.link.similar_names import tell_similar_names

NODES = [Node(str(number), name) for number, name in enumerate(("Liechtenstein", "Ajaria"))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Lichtenstien", "Liechtenstein"),  # two letters wrong
        ("Einstein", ""),
        ("Bulgaria", ""),
        ("Ajara", "Ajaria"),
    ],
)
def test_a_name_that_is_only_somewhat_alike_is_another_one(text: str, found: str) -> None:
    by_text = [Link(node, measure_closeness(text, node.name), "text") for node in NODES]
    assert [link.node.name for link in fuse_links(text, by_text, ())] == ([found] if found else [])


def test_a_number_in_several_names_names_none_of_them() -> None:
    roads = [Link(Node(name, name), 0.9, "text") for name in ("Route 66", "Hut 66")]
    assert fuse_links("66", roads, ()) == ()
    assert [link.node.name for link in fuse_links("66", roads[:1], ())] == ["Route 66"]


@pytest.mark.parametrize(
    ("how", "reading", "notes"),
    [
        ("text", "from Ajaria: part of", ("“Bavaria” was read as “Ajaria”",)),
        ("text", "from Georgia: part of", ()),  # not used
        ("exact", "from Ajaria: part of", ()),
    ],
)
def test_a_reply_says_what_a_name_was_taken_for(
    how: LinkKind, reading: str, notes: tuple[str, ...]
) -> None:
    told = tell_similar_names((Mention(0, 7, "Bavaria", (Link(NODES[1], 0.65, how),)),), reading)
    assert told == tuple(f"{note}, the nearest name in the graph" for note in notes)


def test_a_stored_value_is_told_as_a_name_is() -> None:
    value = Link(StoredValue("Region", "name", "Ajaria"), 0.65, "text")
    [note] = tell_similar_names((Mention(0, 7, "Bavaria", (value,)),), "regions named Ajaria")
    assert "“Ajaria”" in note
