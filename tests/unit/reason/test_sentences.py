"""Facts as sentences to read."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.graphs.sentences import write_sentence


@pytest.mark.parametrize(
    ("relation", "told"),
    [
        ("FLOWS_THROUGH", "A flows through B."),
        ("BORDERS", "A borders B."),
        ("HAS_CAPITAL", "A has capital B."),
        ("IN_CONTINENT", "A is in continent B."),
        ("MEMBER_OF", "A is member of B."),
        ("PART_OF_RANGE", "A is part of range B."),
        ("HEADQUARTERED_IN", "A is headquartered in B."),
        ("directed_by", "A is directed by B."),
        ("ACTED_IN", "A acted in B."),
        ("BOUGHT", "A bought B."),
        ("held_in", "A is held in B."),
        ("starred_actors", "A starred actors B."),
        ("genre", "The genre of A is B."),
        ("birthPlace", "The birth place of A is B."),
        ("people.person.place_of_birth", "The place of birth of A is B."),
        ("/film/film/release_year", "The release year of A is B."),
        ("流れる", "The 流れる of A is B."),
        ("_", "A – B."),
    ],
)
def test_a_relation_is_read_by_its_grammar(relation: str, told: str) -> None:
    assert write_sentence(Triple(Node("a", "A"), relation, Node("b", "B"))) == told
