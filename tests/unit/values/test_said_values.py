"""A general model compares with no value of which the question says nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from question_forms import make_form
from small_schemas import build_schema
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.engines.embeddings import SentenceEmbedder
from trellis.steps.link.values.said_values import drop_unsaid_values
from trellis.steps.link.vocabulary.worded_values import name_worded_values

EMBEDDER = SentenceEmbedder()


def make_festival() -> Schema:
    plain = build_schema(
        {"Band": "name genre", "Stage": "name"},
        "Band PERFORMED_ON Stage",
    )
    genre = PropertyKind("genre", "STRING", values=("metal", "folk"))
    few = (
        PropertyKind("day", "STRING", values=("Friday", "Saturday")),
        PropertyKind("sold_out", "BOOLEAN"),
    )
    bands, stages = plain.labels
    return replace(
        plain,
        labels=(replace(bands, properties=(bands.properties[0], genre)), stages),
        relationship_properties={"PERFORMED_ON": few},
        fingerprint="festival",
    )


FESTIVAL = make_festival()
FOLK = StoredValue("Band", "genre", "folk", "STRING")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which bands performed there?", {"metal"}),  # bands of it are
        ("Which stages are there?", set()),
        ("Who played at the weekend?", {"Friday", "Saturday"}),
        ("Who played on Saturdays?", {"Friday", "Saturday"}),
        ("?", set()),
    ],
)
async def test_values_near_to_no_word_are_left_out(question: str, said: set[str]) -> None:
    kept = await drop_unsaid_values(
        make_form(question, (), FESTIVAL), name_worded_values(FESTIVAL), EMBEDDER
    )
    assert {value.stored.value for value in kept} == {*said, True, False}


async def test_what_is_linked_stays_and_so_does_all_without_an_embedder() -> None:
    mention = Mention(6, 13, "ballads", (Link(FOLK, 0.9, "words"),))
    form, values = make_form("Which ballads?", (mention,), FESTIVAL), name_worded_values(FESTIVAL)
    kept = await drop_unsaid_values(form, values, EMBEDDER)
    assert FOLK in {value.stored for value in kept}
    assert await drop_unsaid_values(form, values, None) == values
