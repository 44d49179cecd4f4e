"""Dashboards and alerts name figures that the service has."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from memory_app import MemoryGraph, WordModel, served
from trellis.automata.tokens.tries import CacheFigures
from trellis.engines.workers.replicas import WorkerFigures
from trellis.graph.neighbourhoods.trie_cache import TrieFigures

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana" / "trellis.json").read_text())
ALERTS: dict[str, Any] = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
QUESTIONS = ("What is the capital of France?", "Who wrote Hamlet?")

_METRIC = re.compile(r"\b((?:trellis|process)_\w+)(?:\{([^}]*)\})?")
_MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
_GROUPING = re.compile(r"\bby \(([^)]*)\)")
_SERIES = re.compile(r"_(bucket|sum|count)$")
_OF_PROMETHEUS = {"job", "instance"}  # it adds these to whatever it reads


class CountingModel(WordModel):
    """A model in memory that has the figures of one in a worker, and of one in the process."""

    def worker_figures(self) -> WorkerFigures:
        return WorkerFigures(5, 1, 3, 2, 4_096, 2, 1)

    def site_figures(self) -> CacheFigures:
        return CacheFigures(3, 2, 2, 1_024)


@pytest.fixture
async def exposed(tmp_path: Path) -> Mapping[str, Mapping[str, set[str]]]:
    """For each series of a real `/metrics` its labels, each with the values that were seen."""
    figures = {"trie_figures": lambda: TrieFigures(5, 2, 3, 1, 4, 2_048)}
    async with served(tmp_path, MemoryGraph(), CountingModel, parts=figures) as client:
        for question in QUESTIONS:
            await client.post("/v1/questions", json={"question": question, "method": "gcr"})
        await client.post("/v1/cypher/explain", json={"query": "MATCH (n) RETURN n"})
        await client.get("/readyz")
        text = (await client.get("/metrics")).text
    labels: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            seen = labels[sample.name]
            for name, value in sample.labels.items():
                seen[name].add(value)
    return labels


def list_expressions() -> Iterator[tuple[str, str]]:
    """Every PromQL expression, with what it stands under."""
    for rule in RULES:
        yield rule["alert"], rule["expr"]
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"]


async def test_every_figure_that_is_named_is_exposed_with_its_labels(
    exposed: Mapping[str, Mapping[str, set[str]]],
) -> None:
    for where, expression in list_expressions():
        known: set[str] = set(_OF_PROMETHEUS)
        for name, matchers in _METRIC.findall(expression):
            assert name in exposed, f"{where}: {name}"
            known |= set(exposed[name])
            asked = {label for label, _, _ in _MATCHER.findall(matchers)}
            assert asked <= set(exposed[name]) | _OF_PROMETHEUS, f"{where}: {name}{{{matchers}}}"
        grouped = {one.strip() for some in _GROUPING.findall(expression) for one in some.split(",")}
        assert grouped <= known, f"{where}: by {grouped}"


async def test_every_outcome_route_and_state_that_is_named_occurs(
    exposed: Mapping[str, Mapping[str, set[str]]],
) -> None:
    for where, expression in list_expressions():
        for name, matchers in _METRIC.findall(expression):
            for label, operator, value in _MATCHER.findall(matchers):
                if operator == "=" and label not in _OF_PROMETHEUS | {"status"}:
                    assert value in exposed[name][label], f"{where}: {label}={value}"


async def test_every_figure_of_ours_is_shown(
    exposed: Mapping[str, Mapping[str, set[str]]],
) -> None:
    shown = {name for _, text in list_expressions() for name, _ in _METRIC.findall(text)}
    ours = {it for it in exposed if it.startswith("trellis_") and not it.endswith("_created")}
    families = {_SERIES.sub("", name) for name in shown}
    assert {_SERIES.sub("", name) for name in ours} <= families


def test_alerts_say_how_grave_they_are_and_what_to_do() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}
        assert rule["for"]
        assert {"summary", "description"} == set(rule["annotations"])


def test_the_dashboard_has_one_place_for_each_panel() -> None:
    taken: set[tuple[int, int]] = set()
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    for panel in DASHBOARD["panels"]:
        box = panel["gridPos"]
        assert box["x"] + box["w"] <= 24
        cells = {
            (x, y)
            for x in range(box["x"], box["x"] + box["w"])
            for y in range(box["y"], box["y"] + box["h"])
        }
        assert not taken & cells, panel["title"]
        taken |= cells
        assert panel["type"] == "row" or panel["description"]


def test_the_dashboard_names_only_variables_that_it_has() -> None:
    variables = {one["name"] for one in DASHBOARD["templating"]["list"]}
    assert set(re.findall(r"\$\{?(\w+)\}?", json.dumps(DASHBOARD))) == variables


def test_prometheus_reads_the_alerts_and_the_job_that_they_are_about() -> None:
    config = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    assert all((DEPLOY / "prometheus" / name).exists() for name in config["rule_files"])
    jobs = {job["job_name"] for job in config["scrape_configs"]}
    named = {
        m[2] for _, text in list_expressions() for m in _MATCHER.findall(text) if m[0] == "job"
    }
    assert named - {"$job"} <= jobs


@pytest.mark.skipif(not shutil.which("promtool"), reason="Prometheus is not installed")
def test_prometheus_itself_accepts_the_alerts_and_they_alert_as_told() -> None:
    for arguments in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
        done = subprocess.run(
            ["promtool", *arguments], cwd=DEPLOY / "prometheus", capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
