"""The file that describes somebody's own graph: what it does, and where it is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from small_schemas import build_properties, build_schema
from trellis.domain.errors import FileFormatError
from trellis.domain.graphs.graph import Node, Step
from trellis.domain.graphs.graph_config import (
    ExamplePath,
    ExampleQuestion,
    GraphConfig,
    VectorSource,
)
from trellis.domain.graphs.schema import LabelKind
from trellis.graph.configuration import read_graph_config
from trellis.lexicon.phrasebook import Phrasebook
from trellis.questions.examples import list_example_rows
from trellis.questions.row import GoldPath

WHOLE = """
[naming]
Person = "full_name"

[synonyms.labels]
Person = ["people", "individual"]
[synonyms.relations]
KNOWS_SN = ["friend"]
[synonyms.properties]
surname = ["last name"]

[hidden]
labels = ["Secret"]
relations = ["AUDITED"]
properties = ["note", "Person.ssn"]

[[examples]]
question = "Who knows Ann?"
cypher = "MATCH (p)-[:KNOWS_SN]-(:Person {name: 'Ann'}) RETURN p"
[[examples]]
question = "How many people are there?"
[[examples]]
question = "Who do friends of Ann know?"
topics = ["Ann"]
answers = ["Bob", 7]
[[examples.paths]]
topic = "Ann"
relations = ["KNOWS_SN", "^KNOWS_SN"]

[vectors]
plot_embeddings = {model = "all-MiniLM-L6-v2", property = "plot"}
"""


def config(tmp_path: Path, text: str) -> GraphConfig:
    file = tmp_path / "graph.toml"
    file.write_text(text, encoding="utf-8")
    return read_graph_config(file)


def test_all_of_it_is_read(tmp_path: Path) -> None:
    read = config(tmp_path, WHOLE)
    assert read.naming == {"Person": "full_name"}
    assert read.labels == {"Person": ("people", "individual")}
    assert read.hidden_properties == ("note", "Person.ssn")
    assert read.vectors == {"plot_embeddings": VectorSource("all-MiniLM-L6-v2", "plot")}
    paths = (ExamplePath("Ann", ("KNOWS_SN", "^KNOWS_SN")),)
    text = "Who do friends of Ann know?"
    first, *others = read.examples
    assert first.question == "Who knows Ann?"
    assert others == [
        ExampleQuestion("How many people are there?", None),
        ExampleQuestion(text, None, ("Ann",), ("Bob", "7"), paths),
    ]
    row = list_example_rows(read.examples)[2]
    assert row.paths == (GoldPath("Ann", (Step("KNOWS_SN"), Step("KNOWS_SN", True))),)
    assert (row.id, row.question, row.answers) == ("3", text, ("Bob", "7"))
    assert read_graph_config(None) == config(tmp_path, "") == GraphConfig()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[naming]\nPerson = 3\n", "line 2: naming.Person"),
        ("[naming]\n\n[hiden]\nlabels = []\n", "line 3: hiden"),
        ('[hidden]\nrelations = ["A"]\nlabels = "B"\n', "line 3: hidden.labels"),
        ('[vectors]\n"a" = {model = "m", property = "p"}\nb = {model = "m"}', "line 3: vectors.b"),
        ('[vectors]\na = {model = "", property = "p"}', "line 2: vectors.a.model"),
        ("[synonyms.labels]\nX = ['a']\nPerson = 'people'\n", "line 3: synonyms.labels.Person"),
        (
            "[[examples]]\nquestion = 'a'\n\n[[examples]]\nquestion = ''\n",
            "line 5: examples.1.question",
        ),
        ("[[examples]]\ncypher = 'a'\n", "line 1: examples.0.question"),
        (
            "[[examples]]\nquestion = 'a'\n[[examples.paths]]\ntopic = 'b'\nrelations = ['c']\n"
            "[[examples]]\nquestion = 'd'\nsparql = 'e'\n",
            "line 8: examples.1.sparql",
        ),
        (
            "[[examples]]\nquestion = 'a'\npaths = [{topic = 'b'}]\n",
            "line 3: examples.0.paths.0.relations",
        ),
        ("[naming\n", "line 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FileFormatError, match=said) as raised:
        config(tmp_path, text)
    assert "graph.toml" in raised.value.problem
    assert raised.value.remedy


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="TRELLIS_GRAPH_CONFIG"):
        read_graph_config(tmp_path / "none.toml")


def test_what_is_hidden_is_not_in_the_schema(tmp_path: Path) -> None:
    read = config(tmp_path, WHOLE)
    people = ("Person KNOWS_SN Person", "Person AUDITED Person", "Person HAS Secret")
    schema = build_schema({"Person": "ssn name note", "Secret": ""}, *people)
    edges = dict.fromkeys(("KNOWS_SN", "AUDITED"), build_properties("name ssn note"))
    shown = read.apply_to_schema(replace(schema, relationship_properties=edges))
    assert shown.labels == (LabelKind("Person", 9, None, build_properties("name")),)
    assert [kind.type for kind in shown.relationships] == ["KNOWS_SN"]
    assert shown.relationship_properties == {"KNOWS_SN": build_properties("name ssn")}
    assert shown.synonyms["surname"] == ("last name",)
    assert read.shows(Node("1", "a", ("Person",)))
    assert not read.shows(Node("2", "b", ("Person", "Secret")))


def test_synonyms_are_words_that_questions_are_made_of(tmp_path: Path) -> None:
    read = config(tmp_path, WHOLE)
    book = Phrasebook.load(synonyms={**read.relations, **read.labels})
    phrases = book.phrases_of(Step("KNOWS_SN"), "Person")
    assert "friend" in phrases.nouns
    assert book.type_nouns("Person") == ("people", "individual")
