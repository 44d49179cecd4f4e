"""Pages hold what the results give, and nothing by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.compare import compare_results, find_beyond_noise, read_base
from lab.figures import build_page, list_pages, list_shown
from lab.plan import ROOT, Experiment, Way, list_experiments, read_experiment
from lab.questions import NO_ANSWER
from lab.results import (
    RESULTS,
    AskedQuestion,
    Result,
    build_result,
    keep_result,
    list_asked,
    read_results,
    summarise,
)
from lab.summary import read_summary, write_summary
from lab.tables import write_region
from trellis.domain.errors import FileFormatError, InputError

WAY = Way(name="ten", settings={"width": 10}, published="63.7")


def ask(right: int, count: int = 30, none: int = 4) -> list[AskedQuestion]:
    """Questions of which the first `right` are right, and some without an answer, all held."""
    asked = [
        AskedQuestion(str(i), "1-hop", str(i), "right" if i < right else "wrong", None, 0.1)
        for i in range(count)
    ]
    others = [AskedQuestion(f"n{i}", NO_ANSWER, f"n{i}", "right", None, 0.1) for i in range(none)]
    return asked + others


def make_result(right: int, suite: str = "films") -> Result:
    return build_result("made", suite, WAY, ask(right), 1)


@pytest.mark.parametrize("page", list_pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_holds_what_the_results_give(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == build_page(page), "run `make figures`"


def test_every_result_is_of_an_experiment_and_on_a_page() -> None:
    kept = {path.stem for path in RESULTS.glob("*.jsonl")}
    shown = {name for page in list_pages() for name in list_shown(page)}
    assert kept <= {*list_experiments()}
    assert kept == shown


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_figures_of_a_result_are_those_of_its_questions(path: Path) -> None:
    for result in read_results(path):
        if "questions" in result:
            expected = summarise(list_asked(result), read_experiment(path.stem).seed)
            assert {**result["figures"], **expected} == result["figures"]


def test_questions_without_an_answer_are_counted_apart() -> None:
    figures = summarise(ask(15), 1)
    assert (figures["n"], figures["right"], figures["wrong"]) == (30, 15, 15)
    assert (figures["no_answer"], figures["no_answer_held"]) == (4, 4)


def test_a_table_has_what_was_published_beside_ours() -> None:
    experiment = Experiment(name="made", title="Made", differs="all of it.", way=(WAY,))
    region = write_region(experiment, [make_result(15)])
    assert "| 30 | 15 | 50.0 | 33–67 | 15 | 0 | 4 of 4 | 0.10, 0.10 | 63.7 |" in region
    assert "What differs: all of it." in region
    assert "Seed 1." in region


def test_kinds_of_all_suites_stand_together() -> None:
    experiment = Experiment(name="made", title="Made", by_kind=True, way=(WAY,))
    region = write_region(experiment, [make_result(15), make_result(5, "shop")])
    assert "| 1-hop | 60 | 20 | 33.3 |" in region


def test_a_line_is_replaced_and_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl"
    order = [("films", "ten"), ("shop", "ten")]
    for result in (make_result(1, "shop"), make_result(1), make_result(2)):
        keep_result(path, result, order)
    kept = [(each["suite"], each["figures"]["right"]) for each in read_results(path)]
    assert kept == [("films", 2), ("shop", 1)]


def test_what_moved_beyond_noise_is_told() -> None:
    moved = find_beyond_noise(compare_results("made", [make_result(5)], [make_result(25)]))
    assert [each.where for each, _ in moved] == ["made, films, ten, all", "made, films, ten, 1-hop"]
    assert (moved[0][0].before, moved[0][0].after, moved[0][0].count) == (9, 29, 34)
    assert not find_beyond_noise(compare_results("made", [make_result(15)], [make_result(17)]))


def test_a_base_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert read_base(str(tmp_path), "made") == []
    with pytest.raises(InputError, match="no folder and no commit"):
        read_base("nothing-like-that", "made")


def test_a_line_that_is_cut_is_told(tmp_path: Path) -> None:
    (tmp_path / "made.jsonl").write_text('{"suite": ')
    with pytest.raises(FileFormatError, match=r"made\.jsonl:1 is no JSON"):
        read_results(tmp_path / "made.jsonl")


def test_a_row_of_the_summary_without_a_result_says_which() -> None:
    row = read_summary()[0].model_copy(update={"way": "nobody's"})
    with pytest.raises(InputError, match="no result of PathQuestion 2-hop, nobody's"):
        write_summary([row])
