"""What the linked nodes do not have is said to be absent; nothing else is given in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_atlas import load_atlas
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.local import LocalModel
from trellis.pipelines.gcr import Gcr
from trellis.settings import BUNDLED_MODEL
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.paths.wider_paths import list_path_texts, widen_trie


@pytest.fixture(scope="module")
def model() -> LocalModel:
    return LocalModel.load(BUNDLED_MODEL, "cpu", Path("unused"))


async def ask(model: LocalModel, question: str) -> Reply:
    settings = model.card.settings(PathSettings)
    return await Gcr(load_atlas(), model, settings).answer(Question(question))


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("Which countries border Japan?", "what Japan borders"),
        ("Which rivers flow through Malta?", "what flows through Malta"),
        ("Which deserts are in Nepal?", "what is desert in Nepal"),
        ("On which sea does Moldova lie?", "what Moldova has coast on"),
    ],
)
async def test_a_relation_that_a_node_lacks_is_told(
    model: LocalModel, question: str, reading: str
) -> None:
    """Inside the graph the model would be sure of another relation."""
    reply = await ask(model, question)
    assert not reply.answers
    assert not reply.abstained
    assert reply.is_absent
    assert reply.confidence > 0.5
    assert reply.reading == reading


async def test_a_number_of_what_is_not_there_is_zero(model: LocalModel) -> None:
    reply = await ask(model, "How many rivers flow through Malta?")
    assert (reply.answers, reply.count) == ((), 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which countries border Portugal?", "Spain"),
        ("Which currency is used in Dubrovnik?", "Euro"),
        ("Which deserts are in Namibia?", "Namib"),
        ("What is the capital of the country in which Mombasa lies?", "Nairobi"),
    ],
)
async def test_what_is_there_is_answered_as_before(
    model: LocalModel, question: str, answer: str
) -> None:
    reply = await ask(model, question)
    assert not reply.is_absent
    assert answer.casefold() in {each.node.name.casefold() for each in reply.answers}


async def test_a_value_is_not_absent_for_want_of_a_relation(model: LocalModel) -> None:
    """Paths know nothing of heights, so none is said to be missing."""
    reply = await ask(model, "What is the height of Tuvalu?")
    assert not reply.is_absent


@pytest.mark.slow
async def test_candidates_tell_how_much_the_language_left(model: LocalModel) -> None:
    """What is asked for is there in Portugal; in Dubrovnik the graph forces another hop."""
    free = await ask(model, "Which countries border Portugal?")
    forced = await ask(model, "Which currency is used in Dubrovnik?")
    assert free.candidates[0].support == pytest.approx(0.0, abs=0.1)
    assert forced.candidates[0].support is not None
    assert forced.candidates[0].support < -1
    assert free.features["support"] > forced.features["support"]


async def test_the_wider_language_has_every_kind_of_path_of_the_schema() -> None:
    schema = await load_atlas().schema()
    texts = list_path_texts(schema, PathSettings())
    assert " -> BORDERS" in texts
    assert " <- BORDERS" in texts
    assert not list_path_texts(schema, PathSettings(rendering="full"))
    assert widen_trie(schema, (), PathSettings()).is_empty()
