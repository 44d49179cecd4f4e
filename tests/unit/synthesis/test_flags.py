"""Questions by flags, and by texts of relationships with few, and the queries that they mean."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

import pytest

from small_schemas import build_schema
from trellis.domain.graphs.schema import PropertyKind
from trellis.lexicon.flag_phrases import make_flag_phrases
from trellis.lexicon.phrasebook import Phrasebook
from trellis.training.synthesis.operators.examples import make_operator_examples
from trellis.training.tasks.cypher import RENDERING

ON_LOAN = PropertyKind("on_loan", "BOOLEAN")
SQUAD = PropertyKind("squad", "STRING", values=("first", "reserve"))
SCHEMA = replace(
    build_schema(
        {"Player": "name injured:BOOLEAN has_agent:BOOLEAN", "Club": "name"},
        "Player PLAYS_FOR Club",
    ),
    relationship_properties={"PLAYS_FOR": (ON_LOAN, SQUAD)},
)


@pytest.mark.parametrize(
    ("name", "said", "denied"),
    [
        ("injured", "who are injured", "who are not injured"),
        ("on_loan", "on loan", "that aren't on loan"),
        ("isActive", "that are active", "that are not active"),
        ("hasParking", "with parking", "without parking"),
        ("allows_pets", "that allow pets", "that do not allow pets"),
        ("can_fly", "that can fly", "that can not fly"),
        ("smoker", "who are smokers", "who are not smokers"),
        ("is_open_source", "that are open source", "that are not open source"),
    ],
)
def test_flags_are_said_as_people_say_them(name: str, said: str, denied: str) -> None:
    phrases = make_flag_phrases(name, of_person=name in ("injured", "on_loan", "smoker"))
    assert said in phrases.behind
    assert denied in phrases.not_behind
    assert all("{}" in ask for ask in phrases.asks)


def test_what_something_has_is_not_what_it_is() -> None:
    assert not make_flag_phrases("has_parking", of_person=False).before
    assert make_flag_phrases("captain", of_person=True).roles == ("captain",)
    assert not make_flag_phrases("injured", of_person=True).roles


@pytest.mark.slow
def test_made_questions_ask_by_flags_and_by_texts_of_relationships() -> None:
    book = Phrasebook.of_schema(SCHEMA)
    made = make_operator_examples(SCHEMA, book, RENDERING, 1_500, 0)
    asked = defaultdict[str, list[str]](list)
    for each in made:
        asked["".join(each.segments).strip()].append(each.prompt.question)
    said = {
        "list player injured true": "injured",
        "list player has agent false": "without|no|not|do",
        "list distinct player plays for where on loan true club": "loan",
        "list distinct player plays for where squad v0 club": r"v0 \(plays for squad\)",
    }
    for query, words in said.items():
        assert any(re.search(words, text) for text in asked[query]), query
    assert any(query.startswith("list player without plays for where") for query in asked)
    assert any(query.startswith("whether player name v0 having plays for") for query in asked)
