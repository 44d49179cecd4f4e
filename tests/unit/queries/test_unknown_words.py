"""Words that no question had which a model learnt from, read as the schema's own."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.replies.reply import Judgement
from trellis.engines.embeddings import SentenceEmbedder
from trellis.steps.link.vocabulary.unknown_words import ReadQuestion, read_unknown_words

PLAYER = LabelKind(
    "Player",
    9,
    "name",
    (
        PropertyKind("name", "STRING"),
        PropertyKind("position", "STRING", values=("Goalkeeper", "Defender")),
    ),
)
PLAYS_FOR = RelationshipKind("PLAYS_FOR", "Player", "Club", 9)
CITY = LabelKind(
    "City",
    9,
    "name",
    (
        PropertyKind("industry", "STRING"),
        PropertyKind("coastal", "BOOLEAN"),
    ),
)
SCHEMA = Schema(
    (PLAYER, LabelKind("Club", 9, "name"), CITY),
    (PLAYS_FOR,),
    *(27, 9, "unknown words"),
    relationship_properties={"PLAYS_FOR": (PropertyKind("captain", "BOOLEAN"),)},
)
WORDING = ("which", "who", "club", "player", "captain", "cities", "youngest", "team", "tall")
MINILM = SentenceEmbedder()


async def read(question: str, mentions: tuple[Mention, ...] = ()) -> ReadQuestion:
    return await read_unknown_words(make_form(question, mentions, SCHEMA, WORDING), MINILM)


def mention(question: str, text: str) -> Mention:
    start = question.index(text)
    link = Link(StoredValue("Club", "name", text), 1.0, "exact")
    return Mention(start, start + len(text), text, (link,))


@pytest.mark.parametrize(
    ("question", "as_read"),
    [
        ("Who is the skipper of Rovers?", "Who is the captain of Rovers?"),
        ("Who is the youngest keeper?", "Who is the youngest goalkeeper?"),
        ("Which keepers are tall?", "Which goalkeepers are tall?"),
        ("Which seaside cities have a club?", "Which coastal cities have a club?"),
    ],
)
async def test_an_unknown_word_is_read_as_the_nearest_of_the_schema(
    question: str, as_read: str
) -> None:
    assert (await read(question)).text == as_read


@pytest.mark.parametrize(
    "question",
    [
        "Who is the captain of Rovers?",  # known words
        "Who plays for Skipper?",  # written like a name
        "Who is the plumber of Rovers?",  # near nothing that the graph has
        "Who has the best hairdo?",
        "Which companies are in the league?",  # a kind of thing by itself, and no industry
        "",
    ],
)
async def test_other_questions_are_left_as_they_are(question: str) -> None:
    assert await read(question) == ReadQuestion(question)


async def test_words_of_values_are_left_as_they_are() -> None:
    question = "Who plays for the keeper club?"
    assert (await read(question, (mention(question, "keeper"),))).words == ()


async def test_a_model_whose_words_are_not_known_reads_all_as_it_stands() -> None:
    question = "Who is the skipper of Rovers?"
    for wording, embedder in (((), MINILM), (WORDING, None)):
        told = await read_unknown_words(make_form(question, (), SCHEMA, wording), embedder)
        assert told == ReadQuestion(question)


async def test_mentions_of_what_was_read_are_spans_of_what_was_asked() -> None:
    question = "Is the skipper of Rovers a keeper of Town?"
    told = await read(question)
    assert told.text == "Is the captain of Rovers a goalkeeper of Town?"
    found = [mention(told.text, text) for text in ("captain", "Rovers", "goalkeeper", "Town")]
    restored = told.restore_spans(found, question)
    assert [each.text for each in restored] == ["skipper", "Rovers", "keeper", "Town"]
    assert [question[each.start : each.end] for each in restored] == [e.text for e in restored]


async def test_an_answer_is_believed_as_far_as_the_words_are_alike() -> None:
    told = await read("Who is the skipper of Rovers?")
    [word] = told.words
    assert told.describe_words() == ["“skipper” was read as “captain”"]
    assert told.lower(Judgement((), 0.9)).confidence == pytest.approx(0.9 * word.likeness)
    assert ReadQuestion("Who?").lower(Judgement((), 0.9)).confidence == 0.9
