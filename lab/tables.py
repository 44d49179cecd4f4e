"""Tables of results, as pages have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lab.plan import Experiment
from lab.questions import NO_ANSWER
from lab.results import AskedQuestion, Result, find_key, list_asked, summarise

Row = dict[str, str]


def write_region(experiment: Experiment, results: Sequence[Result]) -> str:
    """All that a page says of an experiment: tables, what differs from its paper, and how it was
    run."""
    if experiment.bench:
        parts = [write_table([_describe_figure(each) for each in results])]
    elif experiment.perturbed:
        parts = [write_table(_describe_pooled_kinds(results, experiment.seed))]
        if len(results) > 1:
            parts.append(write_table([row for each in results for row in _describe_kinds(each)]))
    else:
        parts = [write_table([_describe_result(each, experiment) for each in results])]
        if experiment.by_kind:
            parts.append(write_table(_describe_pooled_kinds(results, experiment.seed)))
    if experiment.differs:
        parts.append(f"What differs: {experiment.differs}")
    parts.append(_describe_run(experiment, results))
    return "\n\n".join(parts)


def _describe_result(result: Result, experiment: Experiment) -> Row:
    figures = result["figures"]
    published = {way.name: way.published for way in experiment.way}
    return {
        "suite": result["suite"],
        "way": result["way"],
        **_describe_figures(figures),
        "first found right": _count(figures["first_right"], figures["first_of"]),
        "without an answer: held": _count(figures["no_answer_held"], figures["no_answer"]),
        "texts in the language": _percent(figures.get("in_language")),
        "seconds p50, p95": f"{figures['p50']:.2f}, {figures['p95']:.2f}",
        "published": published.get(result["way"], ""),
    }


def _describe_kinds(result: Result) -> list[Row]:
    return [
        {
            "suite": result["suite"],
            "way": result["way"],
            "kind": kind,
            **_describe_figures(figures),
        }
        for kind, figures in result["kinds"].items()
        if kind != NO_ANSWER
    ]


def _describe_pooled_kinds(results: Sequence[Result], seed: int) -> list[Row]:
    """The kinds of questions of each way, those of all suites together."""
    asked: dict[tuple[str, str], list[AskedQuestion]] = {}
    for result in results:
        for question in list_asked(result):
            if question.kind != NO_ANSWER:
                asked.setdefault((result["way"], question.kind), []).append(question)
    return [
        {"way": way, "kind": kind, **_describe_figures(summarise(some, seed))}
        for (way, kind), some in asked.items()
    ]


def _describe_figures(figures: Mapping[str, Any]) -> Row:
    share = figures["right"] / figures["n"] if figures["n"] else None
    return {
        "questions": str(figures["n"]),
        "right": str(figures["right"]),
        "%": _percent(share),
        "95 %": f"{100 * figures['low']:.0f}–{100 * figures['high']:.0f}",
        "wrong": str(figures["wrong"]),
        "held back": str(figures["held"]),
    }


def _describe_figure(result: Result) -> Row:
    return {
        "what": result["way"],
        "ours": result["ours"],
        "reference": result["reference"],
        "ratio": result["ratio"],
    }


def _count(some: int | None, of: int) -> str:
    return f"{some} of {of}" if of else ""


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def write_table(rows: Sequence[Row]) -> str:
    """A table without columns that are empty, and without suite or way where there is one only."""
    kept = [name for name in rows[0] if _tells_something(name, rows)]
    lines = ["| " + " | ".join(kept) + " |", "|" + "---|" * len(kept)]
    lines += ["| " + " | ".join(row[name] for name in kept) + " |" for row in rows]
    return "\n".join(lines)


def _tells_something(name: str, rows: Sequence[Row]) -> bool:
    values = {row[name] for row in rows}
    return values != {""} and not (name in ("suite", "way") and len(values) == 1)


def _describe_run(experiment: Experiment, results: Sequence[Result]) -> str:
    """By which command, when and where the results came about."""
    commits = dict.fromkeys(each["commit"] for each in results)
    dates = dict.fromkeys(each["date"] for each in results)
    cores = dict.fromkeys(str(each["machine"]["cores"]) for each in results)
    loads = [each["machine"]["load"] for each in results]
    seeds = "" if experiment.bench else f" Seed {experiment.seed}."
    return (
        f"`make lab EXPERIMENT={experiment.name}`: {', '.join(dates)}, "
        f"commit {', '.join(commits)}, {', '.join(cores)} cores with a load of "
        f"{min(loads):g} to {max(loads):g}.{seeds}"
    )


def order_results(experiment: Experiment, results: Sequence[Result]) -> list[Result]:
    """The results of suites and ways that the experiment has, in its order."""
    if experiment.bench:
        return [*results]
    by_key = {find_key(each): each for each in results}
    keys = [(suite.name, way.name) for suite in experiment.suite for way in experiment.way]
    return [by_key[key] for key in keys if key in by_key]
