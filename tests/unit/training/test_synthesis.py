"""Questions from a graph alone: names read, phrases found, questions compose_examplesd."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz.distance import OSA

from memory_graph import MemoryGraph, TrigramEmbedder
from small_schemas import build_schema
from trellis.domain.errors import FileFormatError
from trellis.domain.graphs.graph import Step
from trellis.lexicon.names import read_name
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.phrases import Phrases
from trellis.training.synthesis.asking import Asker
from trellis.training.synthesis.path_questions import compose_examples, synthesize_path_examples
from trellis.training.synthesis.predicates import list_predicates
from trellis.training.synthesis.walks import SampledPath, label_steps, list_ends, sample_paths
from unit.training.family import graph

EMBEDDER = TrigramEmbedder()


@pytest.mark.parametrize(
    ("name", "words", "inverse"),
    [
        ("placeOfBirth", "place of birth", False),
        ("people/person/place_of_birth", "place of birth", False),
        ("is_in_country_inverse", "is in country", True),
        ("country-of-origin", "country of origin", False),
        ("!!", "!!", False),
    ],
)
def test_names_are_read_as_words(name: str, words: str, inverse: bool) -> None:
    said = read_name(name)
    assert (said.text, said.inverse) == (words, inverse)


@pytest.mark.parametrize(
    ("step", "noun"),
    [
        (Step("parents"), "mother"),
        (Step("parents", reversed=True), "daughter"),
        (Step("children", reversed=True), "father"),
        (Step("HAS_CAPITAL"), "capital city"),
        (Step("wasBornIn"), "birthplace"),
        (Step("plays_in_club_inverse"), "player"),
        (Step("plays_in_club_inverse", reversed=True), "team"),
        (Step("favourite_cheese"), "favourite cheese"),
    ],
)
def test_relations_are_spoken_of(step: Step, noun: str) -> None:
    assert noun in Phrasebook.load().phrases_of(step).nouns


@pytest.mark.parametrize("step", [Step("glorps_into"), Step("blubbed_by"), Step("cheese")])
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("label", [None, "Wug", "Entity"])
def test_unknown_relations_can_be_asked_for(step: Step, back: bool, label: str | None) -> None:
    phrases = Phrasebook.load().phrases_of(Step(step.relation, back), label)
    question = Asker(0).ask_path([phrases, phrases], "ent1")
    assert "ent1" in question


def test_every_phrase_of_the_lexicon_has_one_place_for_its_topic() -> None:
    book = Phrasebook.load()
    for concept in book.concepts.entries.values():
        for entry in (concept, concept.get("back", {})):
            phrases = [*entry.get("asks", ()), *entry.get("clauses", ())]
            assert all(phrase.count("{}") == 1 for phrase in phrases)
            assert all(noun and "{" not in noun for noun in entry.get("nouns", ()))
        assert concept.get("inverse", "parents") in book.concepts.entries
    assert {c for pair in book.idioms for c in pair} <= book.concepts.entries.keys()


def test_a_graphs_own_wording_comes_first(tmp_path: Path) -> None:
    file = tmp_path / "wording.json"
    file.write_text(
        json.dumps({"relations": {"GLORPS": {"nouns": ["glorpee"]}}, "types": {"Wug": ["wuglet"]}})
    )
    phrases = Phrasebook.load(file).phrases_of(Step("GLORPS"), "Wug")
    assert "glorpee" in phrases.nouns
    assert phrases.types == ("wuglet",)
    file.write_text("[]")
    with pytest.raises(FileFormatError):
        Phrasebook.load(file)
    with pytest.raises(FileFormatError, match=r"none\.json"):
        Phrasebook.load(tmp_path / "none.json")


async def test_paths_that_are_asked_for_exist() -> None:
    memory = graph()
    found = await sample_paths(memory, EMBEDDER, await memory.schema(), 2, "any", seed=1)
    said = {tuple(map(str, trail.steps)) for trail in found}
    assert ("parents", "religion") in said
    assert ("religion", "parents") not in said
    assert all(len(trail.steps) <= 2 for trail in found)


async def test_paths_that_two_things_of_one_name_make_are_hardly_asked_for() -> None:
    """One film of thirty is called `1984`, so that a year seems to have a director."""
    films = [(f"film {number}", str(1970 + number)) for number in range(29)]
    films.append(("1984", "1949"))
    said = [(film, "release_year", year) for film, year in films]
    said += [(film, "directed_by", f"director {at % 9}") for at, (film, _) in enumerate(films)]
    said += [(f"director {at}", "spouse", f"spouse {at}") for at in range(2)]
    memory = MemoryGraph.of(said)
    found = await sample_paths(memory, EMBEDDER, await memory.schema(), 2, "any", seed=1)
    fit = {" ".join(map(str, path.steps)): path.fit for path in found}
    assert fit["directed_by ^directed_by"] == fit["directed_by spouse"] == 1
    assert fit["release_year directed_by"] < 0.2
    assert fit["release_year"] == 1


async def test_examples_are_equal_for_equal_seeds() -> None:
    memory = graph()
    place = memory, EMBEDDER, await memory.schema()
    options: dict[str, Any] = {"hops": 2, "revisit": "any", "wording": None, "meets": True}
    one, same, other = [
        await synthesize_path_examples(*place, **options, count=50, seed=seed) for seed in (1, 1, 2)
    ]
    assert one == same
    assert one != other
    examples, paths = one
    assert len(examples) == 50
    assert all("ENT1" in example.question for example in examples)
    assert paths > 0


def test_steps_that_another_relation_says_forwards_are_seldom_walked_backwards() -> None:
    steps = (Step("parents"), Step("children", reversed=True), Step("children"))
    examples = compose_examples(
        [SampledPath((s,), (None,), 9) for s in steps], Phrasebook.load(), 400, 0
    )
    counts = [sum(e.paths[0].steps[0] == s for e in examples) for s in steps[:2]]
    assert counts[0] > 5 * counts[1] > 0


def test_labels_follow_the_path() -> None:
    kinds = ("City IN Country", "Country IN Continent", "Country BORDERS Country")
    ends = list_ends(build_schema("", *kinds))
    assert label_steps(ends, (Step("BORDERS"), Step("IN"))) == ("Country", "Continent")
    assert label_steps(ends, (Step("BORDERS"), Step("IN", reversed=True))) == ("Country", "City")
    assert label_steps(ends, (Step("IN"),)) == (None,)


ATLAS = (
    SampledPath((Step("BORDERS"),), ("Country",), 9),
    SampledPath((Step("USES_CURRENCY", reversed=True),), ("Country",), 4),
    SampledPath((Step("RISES_IN"),), ("Country",), 2),
    SampledPath((Step("LIES_ON_RIVER", reversed=True),), ("City",), 2),
    *(
        SampledPath((Step("BORDERS"), Step("BORDERS"), Step(name)), (None, None, "City"), 50)
        for name in ("HAS_CAPITAL", "BORDERS", "RISES_IN", "USES_CURRENCY", "IN_COUNTRY")
    ),
)


def test_short_paths_are_asked_for_most_however_few_they_are() -> None:
    examples = compose_examples(ATLAS, Phrasebook.load(), 300, 1)
    lengths = [len(example.paths[0].steps) for example in examples]
    assert lengths.count(1) > lengths.count(3)


def test_some_questions_have_two_conditions_on_answers_of_one_kind() -> None:
    examples = compose_examples(ATLAS, Phrasebook.load(), 400, 1, meets=True)
    joint = [e for e in examples if len(e.paths) > 1]
    assert 20 < len(joint) < 120
    assert len(examples) == 400
    for example in joint:
        assert example.question.find("ENT1") < example.question.find("ENT2")
        said = [step.relation for path in example.paths for step in path.steps]
        assert "LIES_ON_RIVER" not in said  # the only one that ends in cities


def test_a_graph_without_labels_to_join_by_has_no_questions_of_two_conditions() -> None:
    lone = [
        SampledPath((Step("BORDERS"),), (None,), 3),
        SampledPath((Step("RISES_IN"),), ("Country",), 3),
    ]
    examples = compose_examples(lone, Phrasebook.load(), 50, 1, meets=True)
    assert all(len(example.paths) == 1 for example in examples)


def test_predicates_are_what_stands_behind_the_type_asked_for() -> None:
    phrases = Phrases(
        asks=("which country borders {}", "what is next to {}", "{} borders what"),
        clauses=("the country that uses {}", "nation whose capital is {}", "{} 's land"),
        types=("country", "nation"),
    )
    assert list_predicates(phrases) == ("borders {}", "is next to {}", "uses {}")


def test_what_is_no_verb_phrase_is_no_predicate() -> None:
    others = ("can i see {}", "could one reach {}", "parties is {} in", "of {} belongs")
    asked = ("can be seen from {}", *others, "is was in {}", "'s in {}")
    phrases = Phrases(asks=tuple(f"which country {text}" for text in asked), types=("country",))
    assert list_predicates(phrases) == ("can be seen from {}",)


def test_letters_are_wrong_in_words_at_times_and_never_in_names_and_numbers() -> None:
    text = "which countries beside Lake_ENT1 have 2000000 people and border tuesday 's ENT22"
    right, misspelt = [word for word in text.split() if len(word) > 4 and word.isalpha()], 0
    for seed in range(1_000):
        words = Asker(seed).add_noise(text, "tuesday").replace("'s", " 's").split()
        assert {"Lake_ENT1", "2000000", "tuesday", "ENT22"} <= {word.rstrip("?") for word in words}
        misspelt += any(OSA.distance(word, other) == 1 for word in words for other in right)
    assert 10 < misspelt < 100
