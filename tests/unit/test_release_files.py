"""The workflow of a release names steps, targets and files that are there."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from trellis import __version__

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / ".github" / "workflows" / "release.yml").read_text()
WORKFLOW: dict[Any, Any] = yaml.safe_load(TEXT)
JOBS: dict[str, Any] = WORKFLOW["jobs"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def list_commands() -> str:
    return "\n".join(step.get("run", "") for job in JOBS.values() for step in job["steps"])


def test_only_a_tag_of_a_version_is_released() -> None:
    [pattern] = WORKFLOW[True]["push"]["tags"]  # YAML takes the key `on` for a truth value
    assert set(WORKFLOW[True]) == {"push"}
    assert re.fullmatch(pattern.replace(".", r"\."), f"v{__version__}")
    assert PROJECT["project"]["version"] == __version__


def test_nothing_is_released_before_it_is_tested_and_built() -> None:
    def list_earlier(name: str) -> set[str]:
        needs = JOBS[name].get("needs", [])
        direct = {needs} if isinstance(needs, str) else set(needs)
        return direct.union(*(list_earlier(one) for one in direct))

    assert list_earlier("release") == {"test", "build", "images"}
    assert all("test" in list_earlier(name) for name in JOBS if name != "test")


def test_only_the_last_job_may_write_and_no_address_is_named() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert [name for name, job in JOBS.items() if "permissions" in job] == ["release"]
    assert "://" not in TEXT
    assert not re.search(r"\b[\w-]+\.(io|com|org|dev|net)\b", TEXT)
    for job in JOBS.values():
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"])


def test_what_the_steps_run_is_there() -> None:
    commands = list_commands()
    for script in re.findall(r"^(?:deploy|\.ci)/\w+", commands, re.MULTILINE):
        assert os.access(ROOT / script, os.X_OK), script
    assert {".ci/run", "deploy/sbom"} <= set(commands.split())
    for folder in re.findall(r"deploy/helm/\w+", commands):
        assert (ROOT / folder / "Chart.yaml").exists()
    pom = (ROOT / "cypher" / "procedures" / "pom.xml").read_text()
    [jar] = re.findall(r"procedures/target/([\w-]+)\.jar", commands)
    assert f"<finalName>{jar}</finalName>" in pom


def test_every_image_is_a_stage_of_the_dockerfile() -> None:
    stages = re.findall(r"^FROM \S+ AS (\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    images = JOBS["images"]["strategy"]["matrix"]["include"]
    assert {one["target"] for one in images} <= set(stages)
    manifests = "\n".join(
        file.read_text() for file in sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
    )
    named = set(re.findall(r"image: ([\w-]+)", manifests))
    assert named == {one["image"] for one in images}


def test_the_wheel_holds_the_service_alone_and_no_laboratory() -> None:
    packed = PROJECT["tool"]["setuptools"]
    assert packed["packages"] == {"find": {"where": ["service"]}}
    assert set(packed) == {"packages", "package-data", "data-files"}
    assert {file.parent.name for file in ROOT.glob("service/*/__init__.py")} == {"trellis"}
    assert (ROOT / "bench" / "__init__.py").exists()
    patterns = [pattern for patterns in packed["data-files"].values() for pattern in patterns]
    assert {Path(pattern).parts[0] for pattern in patterns} == {"migrations"}


def test_the_wheel_holds_every_migration() -> None:
    data = PROJECT["tool"]["setuptools"]["data-files"]
    pairs = [(folder, pattern) for folder, patterns in data.items() for pattern in patterns]
    packed = {file: folder for folder, pattern in pairs for file in ROOT.glob(pattern)}
    there = [file for file in (ROOT / "migrations").rglob("*") if file.is_file()]
    assert set(packed) == {file for file in there if "__pycache__" not in file.parts}
    for file, folder in packed.items():
        assert Path("share", "trellis", *file.relative_to(ROOT).parent.parts) == Path(folder)
