"""Experiments are files that can be read, and their questions are there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab import plan
from lab.plan import Suite, Way, find_path, list_experiments, read_experiment
from lab.questions import NO_ANSWER, describe_query_kind, read_questions
from lab.ways import build_settings, list_training_options
from trellis.domain.errors import FileFormatError, InputError


@pytest.mark.parametrize("name", list_experiments())
def test_every_experiment_can_be_read(name: str, tmp_path: Path) -> None:
    experiment = read_experiment(name)
    assert bool(experiment.bench) != bool(experiment.suite and experiment.way)
    for way in experiment.way:
        build_settings(way, "bolt://127.0.0.1", tmp_path)
    for suite in experiment.suite:
        if not any(named.startswith("$") for named in (suite.graph, *suite.questions)):
            assert find_path(suite.graph)
            questions = read_questions(suite)
            assert len({each.row.id for each in questions}) == len(questions) > 0


def test_a_suite_has_questions_without_answers() -> None:
    suite = next(each for each in read_experiment("small-graphs").suite if each.name == "films")
    assert {each.kind for each in read_questions(suite)} >= {NO_ANSWER, "1 relationship"}


@pytest.mark.parametrize(
    ("cypher", "kind"),
    [
        ("MATCH (p)-[:A]->(:B {title:'Not Ordered'}) RETURN p", "1 relationship"),
        ("MATCH (p)-[:A]->()<-[:B]-(c) RETURN c", "2 relationships"),
        ("MATCH (p)-[:A]->(c) RETURN c ORDER BY p.age LIMIT 1", "superlative"),
        ("MATCH (p) WHERE NOT (p)-[:A]->() RETURN p", "negation"),
        ("MATCH (p)-[:A]->() RETURN count(DISTINCT p)", "count"),
        ("MATCH (p) WHERE p.age > 30 RETURN p", "comparison"),
        ("MATCH (p {name: 'Ada'}) RETURN p.age", "no relationship"),
    ],
)
def test_a_query_tells_the_kind_of_its_question(cypher: str, kind: str) -> None:
    assert describe_query_kind(cypher) == kind


def test_what_is_wrong_with_an_experiment_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "EXPERIMENTS", tmp_path)
    with pytest.raises(InputError, match="no experiment 'none'"):
        read_experiment("none")
    (tmp_path / "odd.toml").write_text('title = "odd"\nshots = 3\n')
    with pytest.raises(FileFormatError, match=r"odd\.toml: shots"):
        read_experiment("odd")


def test_a_setting_that_is_not_there_is_told(tmp_path: Path) -> None:
    way = plan.Way(name="wide", settings={"widht": 20})
    with pytest.raises(FileFormatError, match="no setting 'widht'"):
        build_settings(way, "bolt://127.0.0.1", tmp_path)


def test_a_folder_may_be_named_by_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="LAB_DATA is not set"):
        find_path("$LAB_DATA/pole")
    monkeypatch.setenv("LAB_DATA", str(tmp_path))
    with pytest.raises(InputError, match="is not there"):
        find_path("$LAB_DATA/pole")
    (tmp_path / "pole").mkdir()
    assert find_path("$LAB_DATA/pole") == tmp_path / "pole"


def test_a_way_may_learn_from_answers_alone(tmp_path: Path) -> None:
    file = tmp_path / "train.jsonl"
    path = {"topic": "Oslo", "relations": ["IN"]}
    row = {"id": "1", "question": "where is oslo", "answers": ["Norway"], "paths": [path]}
    file.write_text(json.dumps(row), encoding="utf-8")
    suite = Suite(name="cities", graph="cities", questions=("dev.jsonl",), training=str(file))
    told = Way(name="told", train=("--task", "path"))
    assert list_training_options(told, suite, tmp_path) == ["--questions", str(file)]
    alone = told.model_copy(update={"answers_alone": True})
    [_, written] = list_training_options(alone, suite, tmp_path)
    [learnt] = map(json.loads, Path(written).read_text("utf-8").splitlines())
    assert learnt == {"id": "1", "question": "where is oslo", "answers": ["Norway"]}
    made = suite.model_copy(update={"training": None})
    assert list_training_options(alone, made, tmp_path) == []
