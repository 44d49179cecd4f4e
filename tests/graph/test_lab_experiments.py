"""Experiments are run over a real Neo4j, their results are kept, and kept figures still hold."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from lab import experiment, plan
from lab.compare import compare_results, find_beyond_noise
from lab.experiment import run_experiment
from lab.results import RESULTS, list_asked, read_results
from real_neo4j import GraphFiller
from trellis.domain.errors import FileFormatError, InputError
from trellis.settings import Settings

PRESS = """
CREATE (ann:Novelist {name: 'Ann Sorel'}), (bo:Novelist {name: 'Bo Lind'}),
       (dusk:Novel {name: 'Dusk Harbour'}), (dawn:Novel {name: 'Dawn Ferry'}),
       (oslo:Town {name: 'Oslo'}), (ann)-[:WROTE]->(dusk), (bo)-[:WROTE]->(dawn),
       (ann)-[:BORN_IN]->(oslo)
"""
QUESTIONS = [
    {
        "id": "press/1",
        "question": "Who wrote Dusk Harbour?",
        "topics": ["Dusk Harbour"],
        "answers": ["Ann Sorel"],
        "kind": "1-hop",
    },
    {"id": "press/2", "question": "What does Dawn Ferry cost?", "answers": []},
]
PLAN = """
title = "Two questions about books"
{more}
[[suite]]
name = "press"
graph = "$LAB_TEST"
questions = ["$LAB_TEST/press.jsonl"]

[[way]]
name = "paths of one relation"
method = "gcr"
model = "reader"
settings = {{ width = 3 }}
card = {{ path = {{ hops = 1 }} }}
"""


@pytest.fixture
def laboratory(tmp_path: Path, graph_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(plan, "EXPERIMENTS", tmp_path)
    monkeypatch.setattr(experiment, "RESULTS", tmp_path)
    monkeypatch.setenv("LAB_TEST", str(tmp_path))
    monkeypatch.setenv("TRELLIS_NEO4J_URI", graph_settings.neo4j_uri)
    monkeypatch.setenv("TRELLIS_CACHE", str(tmp_path))
    lines = "".join(json.dumps(question) + "\n" for question in QUESTIONS)
    (tmp_path / "press.jsonl").write_text(lines)
    return tmp_path


def write_plan(folder: Path, name: str, more: str = "") -> None:
    (folder / f"{name}.toml").write_text(PLAN.format(more=more))


async def test_questions_are_asked_and_their_results_kept(
    fill: GraphFiller, laboratory: Path
) -> None:
    await fill(PRESS)
    write_plan(laboratory, "books")
    await asyncio.to_thread(run_experiment, "books", [], [])
    [result] = read_results(laboratory / "books.jsonl")
    asked = {each.id: each for each in list_asked(result)}
    assert (asked["press/1"].result, asked["press/1"].first) == ("right", True)
    assert result["figures"]["n"] == result["figures"]["no_answer"] == 1
    assert result["asked"]["card"] == {"path": {"hops": 1}}
    assert result["versions"]["trellis"]


async def test_names_are_changed_as_the_graph_has_them(fill: GraphFiller, laboratory: Path) -> None:
    await fill(PRESS)
    write_plan(laboratory, "names", "perturbed = true")
    await asyncio.to_thread(run_experiment, "names", [], [])
    [result] = read_results(laboratory / "names.jsonl")
    kinds = {each.kind: each.result for each in list_asked(result)}
    assert kinds["as it stands"] == kinds["lower case"] == kinds["upper case"] == "right"
    assert {"one typo", "two typos", "partial name", "abbreviation"} <= {*kinds}


async def test_what_a_card_does_not_have_is_told(fill: GraphFiller, laboratory: Path) -> None:
    await fill(PRESS)
    write_plan(laboratory, "books")
    text = (laboratory / "books.toml").read_text().replace("hops", "leaps")
    (laboratory / "books.toml").write_text(text)
    with pytest.raises(FileFormatError, match="task 'path' of reader has no 'leaps'"):
        await asyncio.to_thread(run_experiment, "books", [], [])


def test_a_suite_that_is_not_there_is_told(laboratory: Path) -> None:
    write_plan(laboratory, "books")
    with pytest.raises(InputError, match="no such suite or way"):
        run_experiment("books", ["shop"], [])


@pytest.mark.slow
def test_the_reader_answers_as_well_as_when_its_figures_were_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiment, "RESULTS", tmp_path)
    monkeypatch.delenv("TRELLIS_NEO4J_URI", raising=False)
    monkeypatch.setenv("TRELLIS_CACHE", str(tmp_path))
    name = "small-graphs"
    run_experiment(name, ["football"], [])
    kept, now = (read_results(of / f"{name}.jsonl") for of in (RESULTS, tmp_path))
    movements = compare_results(name, kept, now)
    assert sum(each.count for each in movements if each.where.endswith(", all")) > 70
    worse = [
        each.describe(chance)
        for each, chance in find_beyond_noise(movements)
        if each.after < each.before
    ]
    assert not worse
