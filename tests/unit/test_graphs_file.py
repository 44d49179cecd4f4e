"""The file of graphs: read, completed by the service's settings, and refused where it is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trellis.domain.errors import FileFormatError, UnknownGraphError
from trellis.graphs_file import OVERRIDES, list_graph_settings, read_settings
from trellis.settings import Settings

TWO_GRAPHS = """
default = "police"

[graphs.atlas]
uri = "bolt://one:7687"

[graphs.police]
uri = "neo4j+s://two"
database = "crimes"
user = "reader"
password_variable = "POLICE_PASSWORD"
model = ["models/police", "untrained"]
config = "police.toml"

[graphs.police.settings]
width = 20
question_timeout = 30
"""


def settings_of(path: Path, text: str) -> Settings:
    path.write_text(text, encoding="utf-8")
    return Settings(
        graphs_file=path,
        neo4j_uri="bolt://elsewhere",
        neo4j_password="secret",
        model="./service-model",
        width=7,
        _env_file=None,
    )


def test_each_graph_has_settings_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLICE_PASSWORD", "hush")
    (tmp_path / "models/police").mkdir(parents=True)  # else it would be the name of a hub's model
    graphs = list_graph_settings(settings_of(tmp_path / "graphs.toml", TWO_GRAPHS))
    assert list(graphs) == ["police", "atlas"]
    police, atlas = graphs.values()
    assert (police.graph, police.neo4j_uri, police.neo4j_database) == (
        *("police", "neo4j+s://two", "crimes"),
    )
    assert (police.neo4j_user, police.neo4j_password.get_secret_value()) == ("reader", "hush")
    assert (police.width, police.question_timeout) == (20, 30.0)
    assert police.model_folders == (tmp_path / "models/police", Path("untrained"))
    assert police.graph_config == tmp_path / "police.toml"
    assert (atlas.graph, atlas.neo4j_uri, atlas.width) == ("atlas", "bolt://one:7687", 7)
    assert atlas.model == "./service-model"
    assert atlas.neo4j_password.get_secret_value() == ""  # that of another Neo4j is not sent there


def test_a_command_works_on_the_graph_that_is_named_or_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "graphs.toml"
    file.write_text('[graphs.b]\nuri = "bolt://b"\n[graphs.a]\nuri = "bolt://a"\n')
    monkeypatch.setenv("TRELLIS_GRAPHS_FILE", str(file))
    assert read_settings().neo4j_uri == "bolt://b"
    monkeypatch.setenv("TRELLIS_GRAPH", "a")
    assert read_settings().neo4j_uri == "bolt://a"
    monkeypatch.setenv("TRELLIS_GRAPH", "default")
    with monkeypatch.context() as emptied:
        emptied.setenv("TRELLIS_GRAPHS_FILE", "")
        assert read_settings().graphs_file is None
    with pytest.raises(UnknownGraphError, match="it has b, a"):
        read_settings()


def test_json_says_the_same_and_the_first_graph_is_the_default(tmp_path: Path) -> None:
    text = json.dumps({"graphs": {"b": {"uri": "bolt://b"}, "a": {"uri": "bolt://a"}}})
    assert list(list_graph_settings(settings_of(tmp_path / "graphs.json", text))) == ["b", "a"]


def test_without_a_file_there_is_the_graph_of_the_settings() -> None:
    settings = Settings(_env_file=None)
    assert list_graph_settings(settings) == {"default": settings}
    named = Settings(graph="atlas", _env_file=None)
    assert list_graph_settings(named) == {"atlas": named}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "graphs: Field required"),
        ("[graphs]", "graphs: "),
        ("[graphs.atlas]", "graphs.atlas.uri: Field required"),
        ('[graphs.atlas]\nuri = ""', "graphs.atlas.uri"),
        ('[graphs.atlas]\nuri = "bolt://x"\npassword = "x"', "graphs.atlas.password"),
        ('[graphs."../x"]\nuri = "bolt://x"', "graphs.../x"),
        ('[graphs."a/b"]\nuri = "bolt://x"', "graphs.a/b"),
        ('[graphs."a\\u0000b"]\nuri = "bolt://x"', "match pattern"),
        ('default = "b"\n[graphs.a]\nuri = "bolt://x"', "'b' is not among"),
        ('[graphs.a]\nuri = "bolt://x"\npassword_variable = "NOBODY_SET_IT"', "NOBODY_SET_IT"),
        ('[graphs.a]\nuri = "bolt://x"\n[graphs.a.settings]\nwidth = 0', "'a': width"),
        ('[graphs.a]\nuri = "bolt://x"\n[graphs.a.settings]\nstore_url = "x"', "store_url"),
        ('[graphs.a]\nuri = "bolt://x"\n[graphs.a.settings]\nrequire_keys = false', "require_keys"),
        ('[graphs.a]\nuri = "bolt://x"\n[graphs.a.settings]\nspeed = 1', "speed"),
        ("[graphs", "is no TOML"),
    ],
)
def test_a_file_that_is_wrong_says_where(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FileFormatError, match=r"graphs\.toml") as refused:
        list_graph_settings(settings_of(tmp_path / "graphs.toml", text))
    assert said in str(refused.value)


def test_a_file_that_is_not_there_or_no_text_says_so(tmp_path: Path) -> None:
    settings = Settings(graphs_file=tmp_path / "none.toml", _env_file=None)
    with pytest.raises(FileFormatError, match=r"none\.toml cannot be read"):
        list_graph_settings(settings)
    (tmp_path / "none.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileFormatError, match="cannot be read"):
        list_graph_settings(settings)


def test_what_a_graph_may_have_of_its_own_are_settings() -> None:
    assert set(Settings.model_fields) >= OVERRIDES
