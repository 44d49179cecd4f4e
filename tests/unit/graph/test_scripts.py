"""A Cypher script is cut at the semicolons that are neither in strings, names nor comments."""

from __future__ import annotations

import gzip
import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellis.domain.errors import FileFormatError
from trellis.graph.loading.rows import BadRowsError
from trellis.graph.loading.script import count_statements, is_script, read_statements


def cut(folder: Path, text: str) -> list[tuple[int, str]]:
    """The statements of a script, each with its line."""
    file = folder / "s.cypher"
    file.write_bytes(text.encode())
    count = count_statements(file)
    statements = [(each.line, each.text) for each in read_statements(file)]
    assert len(statements) == count
    return statements


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("RETURN 1;", [(1, "RETURN 1")]),
        ("RETURN 1", [(1, "RETURN 1")]),
        ("\n\nRETURN 1;\nRETURN\n2;\n", [(3, "RETURN 1"), (4, "RETURN\n2")]),
        ("RETURN 1; RETURN 2;", [(1, "RETURN 1"), (1, "RETURN 2")]),
        ("RETURN ';\n' AS `a;b`;", [(1, "RETURN ';\n' AS `a;b`")]),
        (
            "RETURN 'it\\'s; \\\\';RETURN \"\\\";\";",
            [(1, "RETURN 'it\\'s; \\\\'"), (1, 'RETURN "\\";"')],
        ),
        ("// one; two\nRETURN 1; // that's; it\n", [(2, "RETURN 1")]),
        ("/* one;\n'two */ RETURN 1 /* ; */ + 2;", [(2, "RETURN 1   + 2")]),
        ("RETURN 'http://x' AS a;", [(1, "RETURN 'http://x' AS a")]),
        ("RETURN `a``;b`;", [(1, "RETURN `a``;b`")]),
        ("CREATE (a\n:Label);", [(1, "CREATE (a\n:Label)")]),
        (";;\nRETURN 1;;", [(2, "RETURN 1")]),
        ("RETURN 1 //x\n+ 2;", [(1, "RETURN 1 \n+ 2")]),
        ("\ufeffRETURN 1;\r\nRETURN 2;\r\n", [(1, "RETURN 1"), (2, "RETURN 2")]),
    ],
)
def test_where_statements_end(tmp_path: Path, text: str, statements: list[tuple[int, str]]) -> None:
    assert cut(tmp_path, text) == statements


@given(st.lists(st.text(alphabet="ab;'\"`\\/*\n :", max_size=12), max_size=5))
def test_strings_come_out_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    quoted = ["RETURN '" + text.replace("\\", "\\\\").replace("'", "\\'") + "'" for text in texts]
    script = ";\n".join([*quoted, "RETURN 1"])
    folder = tmp_path_factory.mktemp("script")
    assert [text for _, text in cut(folder, script)] == [*quoted, "RETURN 1"]


def test_transactions_of_the_shell_are_left_out_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        statements = cut(tmp_path, ":begin\nRETURN 1;\n:COMMIT;\n:schema await\nRETURN 2;\n")
    assert statements == [(2, "RETURN 1"), (5, "RETURN 2")]
    assert [record.getMessage() for record in caplog.records] == [
        "s.cypher:1: :begin is left out",
        "s.cypher:3: :COMMIT is left out",
        "s.cypher:4: :schema await is left out",
    ]


def test_other_commands_of_the_shell_are_refused_by_line(tmp_path: Path) -> None:
    with pytest.raises(BadRowsError) as refused:
        cut(tmp_path, ":param x => 1\nRETURN $x;\n:source more.cypher\n")
    assert [row.split(" is of")[0] for row in refused.value.rows] == [
        "s.cypher:1: :param x => 1",
        "s.cypher:3: :source more.cypher",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("RETURN 1;\nRETURN 'a;\n", "s.cypher:2: the string that begins here has no end"),
        ("RETURN `a;\n", "s.cypher:1: the name that begins here"),
        ("RETURN 1;\n\n/* a;\n", "s.cypher:3: the comment that begins here"),
        ("// nothing\n", "has no statement"),
    ],
)
def test_what_has_no_end_is_told_by_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FileFormatError, match=said):
        cut(tmp_path, text)


def test_a_script_is_known_by_its_name_and_may_be_compressed(tmp_path: Path) -> None:
    file = tmp_path / "s.cypher.gz"
    with gzip.open(file, "wt") as script:
        script.write("RETURN 1;")
    assert is_script(file)
    assert [each.text for each in read_statements(file)] == ["RETURN 1"]
    assert not is_script(tmp_path / "graph.tsv.gz")
