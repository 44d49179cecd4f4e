"""What `docker compose up` runs, container after container, on a Neo4j of the tests.

No Docker engine is needed: commands, settings and order are read from the file.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import httpx
import pytest

from acceptance.test_written_files import COMPOSE, instructions
from real_neo4j import running_neo4j, skip_without_neo4j
from trellis_command import build_environment, call_trellis, serving

SERVICES = COMPOSE["services"]
PASSWORD = "a-password"


def fill_in(text: str, variables: Mapping[str, str]) -> str:
    """The text with `${NAME}`, `${NAME:-default}` and `${NAME:?message}` filled in."""

    def find_value(match: re.Match[str]) -> str:
        value = variables.get(match["name"]) or match["default"]
        assert value is not None, f"{match['name']} has to be set"
        return value

    pattern = r"\$\{(?P<name>\w+)(?::-(?P<default>[^}]*)|:\?[^}]*)?\}"
    return re.sub(pattern, find_value, text)


def list_image_settings() -> dict[str, str]:
    """The variables that the service's image sets."""
    lines = [argument for name, argument in instructions("service") if name == "ENV"]
    return dict(re.findall(r"(TRELLIS_\w+)=(\S+)", " ".join(lines)))


def build_container_environment(
    name: str, folder: Path, uri: str, variables: Mapping[str, str]
) -> dict[str, str]:
    """The environment of a container, where this machine is Neo4j's and `folder` is `/data`."""
    given = {
        key: variables.get(key) if value is None else fill_in(value, variables)
        for key, value in SERVICES[name]["environment"].items()
    }
    image = {
        key: value.replace("/data", str(folder)) for key, value in list_image_settings().items()
    }
    set_ones = {key: value for key, value in given.items() if value is not None}
    return {**build_environment(), **image, **set_ones, "TRELLIS_NEO4J_URI": uri}


def run_init(folder: Path, uri: str, **variables: str) -> subprocess.CompletedProcess[str]:
    given = {"NEO4J_PASSWORD": PASSWORD, **variables}
    environment = build_container_environment("init", folder, uri, given)
    return call_trellis(
        folder, environment, *(fill_in(word, given) for word in SERVICES["init"]["command"])
    )


@pytest.fixture(scope="module")
def protected_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Bolt address of an empty Neo4j with the password."""
    folder = tmp_path_factory.mktemp("compose")
    skip_without_neo4j(folder)
    with running_neo4j(folder, password=PASSWORD) as uri:
        yield uri


def test_the_service_waits_for_the_graph_and_that_for_neo4j() -> None:
    awaited = {name: set(service.get("depends_on", ())) for name, service in SERVICES.items()}
    order = list(TopologicalSorter(awaited).static_order())
    assert order.index("neo4j") < order.index("init") < order.index("service")
    conditions = SERVICES["service"]["depends_on"]
    assert conditions["init"] == {"condition": "service_completed_successfully"}
    assert SERVICES["init"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert SERVICES["init"]["restart"] == "no"


@pytest.mark.slow
def test_up_fills_an_empty_database_once_and_answers_without_a_key(
    tmp_path: Path, protected_uri: str
) -> None:
    nothing = run_init(tmp_path, protected_uri, TRELLIS_LOAD="none")
    assert (nothing.returncode, nothing.stdout) == (0, "nothing to load\n")
    first = run_init(tmp_path, protected_uri)
    assert first.returncode == 0, first.stderr
    assert re.match(r"loaded \d,\d+ nodes and \d+,\d+ relationships; ", first.stdout)
    second = run_init(tmp_path, protected_uri)
    assert second.returncode == 0, second.stderr
    assert second.stdout == "the database holds nodes already: nothing was loaded\n"
    given = {"NEO4J_PASSWORD": PASSWORD}
    environment = build_container_environment("service", tmp_path, protected_uri, given)
    command = json.loads(dict(instructions("service"))["CMD"])
    command[command.index("--port") + 1] = "0"  # any free one
    with serving(tmp_path, environment, *command) as (address, _):
        asked = {"question": "What is the capital of Kenya?"}
        answer = httpx.post(f"{address}/v1/questions", json=asked, timeout=120)
        assert answer.status_code == 200, answer.text
        assert [each["name"] for each in answer.json()["answers"]] == ["Nairobi"]
        elsewhere = httpx.get(f"{address}/v1/schema", headers={"host": "trellis.example"})
        assert elsewhere.json()["type"].endswith("wrong-host")


def test_a_password_that_neo4j_refuses_ends_the_filling(tmp_path: Path, protected_uri: str) -> None:
    done = run_init(tmp_path, protected_uri, NEO4J_PASSWORD="another-one")
    assert done.returncode == 1
    assert "refuses the user or password" in done.stderr
