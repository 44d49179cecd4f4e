"""Facts read as what they are, whatever their shape."""

from __future__ import annotations

import pytest

from trellis.domain.facts import Fact
from trellis.domain.graph import Node, Step, Triple, Walk

MOMBASA, KENYA, NAIROBI, UGANDA = (
    Node(name.lower(), name) for name in ("Mombasa", "Kenya", "Nairobi", "Uganda")
)
LIES = Triple(MOMBASA, "IN", KENYA)
CAPITAL = Triple(KENYA, "HAS_CAPITAL", NAIROBI)
BORDERS = Triple(KENYA, "BORDERS", UGANDA)
BACK = Triple(UGANDA, "BORDERS", KENYA)


@pytest.mark.parametrize(
    ("triples", "text"),
    [
        ([CAPITAL], "Kenya -HAS_CAPITAL-> Nairobi"),
        ([LIES, CAPITAL], "Mombasa -IN-> Kenya -HAS_CAPITAL-> Nairobi"),
        ([CAPITAL, LIES], "Nairobi <-HAS_CAPITAL- Kenya <-IN- Mombasa"),
        (
            [LIES, CAPITAL, BORDERS],
            "Mombasa -IN-> Kenya -HAS_CAPITAL-> Nairobi; Kenya -BORDERS-> Uganda",
        ),
        ([BORDERS, BACK], "Kenya -BORDERS-> Uganda -BORDERS-> Kenya"),
        ([Triple(KENYA, "BORDERS", KENYA)], "Kenya -BORDERS-> Kenya"),
        ([], ""),
    ],
    ids=["one", "chain", "chain told from its end", "tree", "cycle", "loop", "none"],
)
def test_relationships_of_any_shape_are_told(triples: list[Triple], text: str) -> None:
    fact = Fact.of_triples(triples)
    assert fact.text == text
    assert fact.triples == tuple(triples)
    assert set(fact.nodes) == {node for triple in triples for node in (triple.head, triple.tail)}


def test_a_walk_is_told_from_its_anchor_and_its_triples_are_never_reversed() -> None:
    fact = Fact.of_walk(Walk((NAIROBI, KENYA), (Step("HAS_CAPITAL", reversed=True),)))
    assert fact.text == "Nairobi <-HAS_CAPITAL- Kenya"
    assert fact.triples == (CAPITAL,)


def test_what_a_property_says_has_no_relationship() -> None:
    fact = Fact.of_value(NAIROBI, "population", 4_400_000)
    assert (fact.text, fact.triples) == ("Nairobi -population-> 4400000", ())
