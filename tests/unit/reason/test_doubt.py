"""Where nobody judged a model's answers, unknown names and words lower the confidence."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node
from trellis.domain.replies.reply import Answer, Judgement
from trellis.steps.align.doubt import Doubt, measure_doubt

WORDING = ("drugs", "produce", "live", "people", "doctors")
ANSWER = (Answer(Node("1", "Corvanol", ("Drug",)), 1.0),)


async def measure(question: str, wording: tuple[str, ...] = WORDING) -> Doubt:
    return await measure_doubt(make_form(question, wording=wording), "drugs", ("Drug",), None)


async def test_known_words_leave_no_doubt() -> None:
    assert await measure("Which drugs do people produce?") == Doubt()


async def test_words_of_the_answer_leave_no_doubt() -> None:
    assert await measure("Which drug is there?") == Doubt()


async def test_a_relation_with_an_underscore_that_is_said_is_no_unknown_name() -> None:
    reading = "from Ann: place of birth, then notable types"
    question = "what is the notable_types of the place_of_birth?"
    form = make_form(question, wording=WORDING)
    assert (await measure_doubt(form, reading, (), None)).names == ()
    missing = await measure_doubt(form, "from Ann: place of birth", (), None)
    assert missing.names == ("notable_types",)


async def test_a_name_that_is_nowhere_leaves_little() -> None:
    doubt = await measure("Which drugs does Pfizer produce?")
    assert (doubt.names, doubt.words) == (("Pfizer",), ())
    assert doubt.factor < 0.2


async def test_strange_words_count_by_their_share() -> None:
    alone, beside = await measure("What is the capital?"), await measure("Which capital drugs?")
    assert (alone.words, beside.words) == (("capital",), ("capital",))
    assert alone.factor < beside.factor < 1


async def test_words_do_not_count_where_no_wording_is_known() -> None:
    assert await measure("What is the capital?", ()) == Doubt()


@pytest.mark.parametrize(("confidence", "is_given"), [(0.9, True), (0.3, False)])
def test_a_doubtful_answer_says_why(confidence: float, *, is_given: bool) -> None:
    judged = Doubt(0.5, ("Pfizer",)).apply(Judgement(ANSWER, confidence))
    assert judged.confidence == pytest.approx(confidence / 2)
    assert (judged.answers, judged.nearest) == ((ANSWER, ()) if is_given else ((), ANSWER))
    assert "“Pfizer”" in judged.notes[0]


def test_without_doubt_a_judgement_stays() -> None:
    judgement = Judgement(ANSWER, 0.1)
    assert Doubt().apply(judgement) is judgement
