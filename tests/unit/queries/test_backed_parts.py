"""How far a question speaks of each part of a query."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from question_forms import make_form
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.align.queries.backed_parts import measure_part_support
from trellis.steps.conclude.confidence.general_confidence import load_general_confidence
from trellis.steps.describe.queries.read_meaning import read_meaning

CITY = LabelKind(
    "City", 9, "name", (PropertyKind("name", "STRING"), PropertyKind("population", "INTEGER"))
)
SCHEMA = Schema(
    (CITY, LabelKind("Club", 9, "name", (PropertyKind("name", "STRING"),))),
    (RelationshipKind("BASED_IN", "Club", "City", 9),),
    *(18, 9, "league"),
)
POPULATION = "MATCH (c:City {name: 'Tarn'}) RETURN c.population"
_WIDTH = 1 << 16
CLUBS = "MATCH (c:Club)-[:BASED_IN]->(:City {name: 'Tarn'}) RETURN c"


class Alike:
    """Finds crowds and population alike, and nothing else."""

    dimensions = _WIDTH

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._embed_one(text) for text in texts])

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(_WIDTH, np.float32)
        alone = 1 + zlib.crc32(text.encode()) % (_WIDTH - 1)
        vector[0 if text in ("crowds", "population") else alone] = 1.0
        return vector


async def measure(question: str, query: str, embedder: Alike | None = None) -> float:
    start = question.index("Tarn")
    link = Link(StoredValue("City", "name", "Tarn"), 1.0, "exact")
    mentions = (Mention(start, start + 4, "Tarn", (link,)),)
    meaning = read_meaning(CypherQuery(query))
    return await measure_part_support(make_form(question, mentions, SCHEMA), meaning, embedder)


@pytest.mark.parametrize(
    ("question", "query", "backed"),
    [
        ("What is the population of Tarn?", POPULATION, 1.0),
        ("How many people live in Tarn?", POPULATION, 1.0),  # a phrase of the lexicon
        ("When was Tarn born?", POPULATION, 0.0),
        ("Which clubs are based in Tarn?", CLUBS, 1.0),
        ("Which doctors work near Tarn?", CLUBS, 0.0),
        ("Show me Tarn", "MATCH (c:City {name: 'Tarn'}) RETURN c", 1.0),
    ],
)
async def test_what_nothing_speaks_of_is_not_backed(
    question: str, query: str, backed: float
) -> None:
    assert await measure(question, query) == backed


async def test_words_may_be_near_in_meaning() -> None:
    assert await measure("What crowds are there in Tarn?", POPULATION, Alike()) == 1.0
    assert await measure("When was Tarn born?", POPULATION, Alike()) == 0.0


def test_the_general_confidence_is_of_other_graphs_and_trusts_what_is_backed() -> None:
    general = load_general_confidence()
    assert general.is_general
    assert not general.is_own
    assert general.weights["backed"] > 0
    assert 0 < general.abstain_below < 0.5
