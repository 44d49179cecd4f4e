"""Rows of an answer: as typed JSON, as a table, and as CSV."""

from __future__ import annotations

import csv
import io
import json
import pickle
from typing import Any

import pytest

from trellis.domain.graphs.graph import Node, Step, Triple, Walk
from trellis.domain.replies.reply import Answer, Reply
from trellis.domain.structures.cypher import Rows, TypedText
from trellis.wire.answer_text import read_answer_names, write_answer_text
from trellis.wire.bodies import ReplyBody
from trellis.wire.cells import encode_cell, write_cell
from trellis.wire.csv_text import write_csv
from trellis.wire.tables import AnswerTable, write_readable_cell

PARIS = Node("4:1", "Paris", ("City",), {"population": 2_100_000})
OSLO = Node("4:2", "Oslo", ("City",))
POINT = TypedText(
    "point({srid: 4326, x: 2.35, y: 48.86})", "point", {"srid": 4326, "x": 2.35, "y": 48.86}
)
DAY = TypedText("2020-02-29", "date")
HEAD, TAIL = encode_cell(PARIS), encode_cell(OSLO)


def make_body(columns: tuple[str, ...], *rows: tuple[Any, ...], **more: Any) -> ReplyBody:
    firsts = [row[0] for row in rows]
    nodes = [cell if isinstance(cell, Node) else Node("", str(cell)) for cell in firsts]
    answers = tuple(Answer(node, 0.9) for node in dict.fromkeys(nodes))
    reply = Reply("?", "graphraft", answers, (), 0.9, False, rows=Rows(columns, rows), **more)
    return ReplyBody.model_validate(json.loads(ReplyBody.of("1", reply).model_dump_json()))


def read_csv(body: ReplyBody) -> list[list[str]]:
    return list(csv.reader(io.StringIO(write_csv(body), newline="")))


@pytest.mark.parametrize(
    ("cell", "encoded", "text"),
    [
        (None, None, ""),
        (True, True, "true"),
        (-5, -5, "-5"),
        (2.5, 2.5, "2.5"),
        ("=1", "=1", "=1"),
        (PARIS, {"type": "node", "id": "4:1", "name": "Paris", "labels": ["City"]}, "Paris"),
        (DAY, {"type": "date", "value": "2020-02-29"}, "2020-02-29"),
        (POINT, {"type": "point", "srid": 4326, "x": 2.35, "y": 48.86}, "48.86, 2.35"),
        (float("nan"), {"type": "float", "value": "nan"}, "nan"),
        ([1, DAY], [1, {"type": "date", "value": "2020-02-29"}], "1; 2020-02-29"),
        ({"a": 1}, {"type": "map", "entries": {"a": 1}}, "a: 1"),
        (
            Triple(PARIS, "NEAR", OSLO),
            {"type": "relationship", "relation": "NEAR", "head": HEAD, "tail": TAIL},
            "Paris -NEAR-> Oslo",
        ),
        (
            Walk((PARIS, OSLO), (Step("NEAR", True),)),
            {"type": "path", "nodes": [HEAD, TAIL], "relations": ["NEAR"]},
            "Paris … Oslo",
        ),
    ],
)
def test_a_cell_is_a_typed_value_and_a_text(cell: Any, encoded: Any, text: str) -> None:
    assert encode_cell(cell) == encoded
    assert write_cell(json.loads(json.dumps(encoded))) == text


def test_a_typed_text_is_a_text_wherever_it_travels() -> None:
    again = pickle.loads(pickle.dumps(POINT))
    assert (again, again.type, again.parts) == (POINT, "point", POINT.parts)
    assert json.dumps([DAY]) == '["2020-02-29"]'


@pytest.mark.parametrize(
    ("cell", "column", "text"),
    [
        (820_000, "population", "820,000"),
        (1968, "independence year", "1968"),
        (214970.0, "area (km²)", "214,970"),
        (27139444.4444, "average population", "27,139,444.44"),
        (0.000123456, "share", "0.000123"),
        (False, "member", "no"),
        ("a\nb", "note", "a b"),
        ("x" * 5_000, "note", "x" * 199 + "…"),
        (list(range(12)), "list", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 2 more"),
    ],
)
def test_a_cell_is_readable(cell: Any, column: str, text: str) -> None:
    assert write_readable_cell(cell, column) == text


def test_a_chat_is_given_a_table_whose_names_are_read_back() -> None:
    body = make_body(
        ("city", "population"), (Node("1", "A | B", ("City",)), 1_000), (OSLO, None), count=2
    )
    text = write_answer_text(body)
    assert text == ("2:\n\n| city | population |\n| --- | ---: |\n| A \\| B | 1,000 |\n| Oslo |  |")
    assert read_answer_names(text) == ("A | B", "Oslo")


def test_a_cut_table_says_its_total() -> None:
    rows = [(Node(f"n{i}", f"City {i}"), i) for i in range(60)]
    body = make_body(("city", "rank"), *rows)
    assert write_answer_text(body).endswith("… 50 of 60 shown")
    assert len(read_csv(body)) == 61  # a file has them all, and a header
    cut = write_answer_text(make_body(("city", "rank"), *rows[:20], total=193))
    assert cut.endswith("… 20 of 193 shown")


def test_one_column_and_no_claim_are_no_table() -> None:
    assert AnswerTable.of(make_body(("city",), (PARIS,))) is None
    silent = make_body(("city", "rank"), (PARIS, 1)).model_copy(update={"abstained": True})
    assert AnswerTable.of(silent) is None


def test_csv_gives_what_the_reply_holds_and_no_formulas() -> None:
    hostile = ["=cmd()", "+592", "-1", "@SUM(A1)", "\tx", "\rx", 'say "hi", all', "Ünï\ncode"]
    body = make_body(("=name", "number"), *((text, -1.5) for text in hostile))
    header, *rows = read_csv(body)
    assert header == ["'=name", "number"]
    assert [first for first, _ in rows] == [*(f"'{text}" for text in hostile[:6]), *hostile[6:]]
    assert {second for _, second in rows} == {"-1.5"}


def test_csv_of_an_answer_without_rows_is_its_answers() -> None:
    body = make_body(("city",), (PARIS,)).model_copy(update={"rows": None, "columns": None})
    assert read_csv(body) == [["answer"], ["Paris"]]
    assert read_csv(body.model_copy(update={"answers": []})) == [["answer"]]
