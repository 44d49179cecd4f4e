"""The files for Kubernetes and the Helm chart are well-formed, and say what the product has."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from trellis.access.routes import is_open
from trellis.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
PLAIN = ROOT / "deploy" / "kubernetes"
CHART = ROOT / "deploy" / "helm" / "trellis"
VERSIONS = ("1.27", kubernetes_validate.latest_version().rpartition(".")[0])
SETTINGS = {f"TRELLIS_{name.upper()}" for name in Settings.model_fields}
SECRETS = {
    f"TRELLIS_{name.upper()}"
    for name, field in Settings.model_fields.items()
    if "SecretStr" in str(field.annotation)
} | {"TRELLIS_STORE_URL"}  # which holds a password
NOT_OURS = {"VLLM_API_KEY", "HOME", "NEO4J_AUTH"}
CHART_VALUES = (
    "worker.enabled=true",
    "ingress.enabled=true",
    "ingress.tlsSecret=tls",
    "ingress.className=nginx",
    "modelsClaim=models",
    "podAnnotations.note=ours",
    "nodeSelector.disk=fast",
    "graphsFile=graphs",
)


def read_documents(*texts: str) -> list[dict[str, Any]]:
    return [document for text in texts for document in yaml.safe_load_all(text) if document]


def read_plain_files() -> list[dict[str, Any]]:
    files = sorted(PLAIN.glob("*.yaml"))
    documents = read_documents(*(file.read_text() for file in files))
    return [document for document in documents if document["kind"] != "Kustomization"]


def render_chart(*values: str, file: Path = CHART / "values.yaml") -> list[dict[str, Any]]:
    """What Helm makes of the chart with those values, and those of a file."""
    sets = [argument for value in values for argument in ("--set", value)]
    given = ["--kube-version", "1.32.0", "--values", str(file), *sets]
    command = ["helm", "template", "acme", str(CHART), *given]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return read_documents(done.stdout)


@pytest.fixture(params=["plain", "chart", "whole chart"])
def documents(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """The plain files; what Helm makes of the chart, by itself and with all that it can add."""
    if request.param == "plain":
        return read_plain_files()
    if not shutil.which("helm"):
        pytest.skip("helm is not installed")
    return render_chart(*(CHART_VALUES if request.param == "whole chart" else ()))


def list_pods(documents: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for document in list_kind(documents, "Deployment", "StatefulSet"):
        yield document["metadata"]["name"], document["spec"]["template"]["spec"]


def list_containers(documents: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The containers of all pods, each with the name of what runs the pod."""
    for name, pod in list_pods(documents):
        for container in (*pod.get("initContainers", ()), *pod["containers"]):
            yield name, container


def list_kind(documents: list[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    return [document for document in documents if document["kind"] in kinds]


def test_kubernetes_takes_every_document(documents: list[dict[str, Any]]) -> None:
    for document in documents:
        for version in VERSIONS:
            kubernetes_validate.validate(document, version, strict=True)


def test_every_variable_is_a_setting_and_no_secret_is_written_down(
    documents: list[dict[str, Any]],
) -> None:
    for document in list_kind(documents, "ConfigMap"):
        names = {name for name in document["data"] if name.isupper()}
        assert names <= SETTINGS - SECRETS
    for _, container in list_containers(documents):
        for variable in container.get("env", ()):
            name = variable["name"]
            assert name in SETTINGS | NOT_OURS or name.startswith("NEO4J_")
            if name in SECRETS | {"VLLM_API_KEY", "NEO4J_AUTH"}:
                assert variable["valueFrom"]["secretKeyRef"]["name"] == "trellis"


def test_the_settings_can_be_read(
    documents: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    [data] = [it["data"] for it in documents if it["metadata"]["name"].endswith("-settings")]
    for name, value in data.items():
        monkeypatch.setenv(name, value)
    assert Settings(_env_file=None).neo4j_uri == data["TRELLIS_NEO4J_URI"]


def test_nothing_runs_as_root_or_with_more_than_it_needs(documents: list[dict[str, Any]]) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    for name, pod in list_pods(documents):
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not pod["automountServiceAccountToken"]
        assert not pod["enableServiceLinks"]  # they would be taken for settings
        if name != "neo4j":
            user = pod["securityContext"]["runAsUser"]
            assert f"--uid {user} " in dockerfile
    for name, container in list_containers(documents):
        confined = container["securityContext"]
        assert confined["allowPrivilegeEscalation"] is False
        assert confined["capabilities"] == {"drop": ["ALL"]}
        assert confined.get("readOnlyRootFilesystem", False) is (name != "neo4j")
        assert {"requests", "limits"} == set(container["resources"])
        assert container["resources"]["limits"]["memory"]


def test_what_is_mounted_is_there_and_what_is_written_can_be(
    documents: list[dict[str, Any]],
) -> None:
    claims = {
        claim["metadata"]["name"]
        for document in documents
        for claim in document.get("spec", {}).get("volumeClaimTemplates", ())
    }
    pods = dict(list_pods(documents))
    for name, container in list_containers(documents):
        volumes = {volume["name"] for volume in pods[name].get("volumes", ())} | claims
        mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
        assert set(mounts.values()) <= volumes
        assert {"/data"} | ({"/tmp"} if name != "neo4j" else set()) <= set(mounts)


def test_probes_ask_open_paths_on_the_port_of_the_image(documents: list[dict[str, Any]]) -> None:
    for name, pod in list_pods(documents):
        stage = "worker" if "worker" in name else "service"
        for container in pod["containers"]:
            [port] = container["ports"]
            for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
                [(how, asked)] = [(key, it) for key, it in container[kind].items() if "et" in key]
                assert asked["port"] == port["name"]
                wanted = "/readyz" if kind == "readinessProbe" else "/livez"
                assert how == "tcpSocket" or (asked["path"] == wanted and is_open(wanted))
            if name != "neo4j":
                body = (ROOT / "Dockerfile").read_text().partition(f" AS {stage}\n")[2]
                assert f"EXPOSE {port['containerPort']}\n" in body.partition("\nFROM ")[0]


def test_every_service_leads_to_pods_and_every_address_to_a_service(
    documents: list[dict[str, Any]],
) -> None:
    specs = [document["spec"] for document in list_kind(documents, "Deployment", "StatefulSet")]
    labels = [spec["template"]["metadata"]["labels"].items() for spec in specs]
    services = {one["metadata"]["name"]: one["spec"] for one in list_kind(documents, "Service")}
    for service in services.values():
        wanted = service["selector"].items()
        assert len([1 for found in labels if wanted <= found]) == 1
    for spec, found in zip(specs, labels, strict=True):
        assert spec["selector"]["matchLabels"].items() <= found
    for document in list_kind(documents, "ConfigMap"):
        if url := document["data"].get("TRELLIS_WORKER_URL"):
            host, port = url.removeprefix("http://").split(":")
            assert services[host]["ports"][0]["port"] == int(port)


def test_only_the_service_reaches_a_worker(documents: list[dict[str, Any]]) -> None:
    policies = list_kind(documents, "NetworkPolicy")
    guarded = [it for it in policies if it["metadata"]["name"].endswith("-worker")]
    workers = [name for name, _ in list_pods(documents) if name.endswith("-worker")]
    assert len(guarded) == len(workers)
    for policy in guarded:
        [rule] = policy["spec"]["ingress"]
        assert len(rule["from"]) == 1


def test_the_store_is_migrated_before_the_service_starts(documents: list[dict[str, Any]]) -> None:
    pods = dict(list_pods(documents))
    pod = pods.get("trellis") or pods["acme"]
    [migrate] = pod["initContainers"]
    [service] = pod["containers"]
    assert migrate["args"] == ["migrate", "--no-graph"]
    for key in ("image", "env", "envFrom", "volumeMounts"):
        assert migrate[key] == service[key]


def test_neo4j_is_set_as_in_docker_compose() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    settings = dict(compose["services"]["neo4j"]["environment"])
    settings.pop("NEO4J_AUTH")
    [container] = dict(list_pods(read_plain_files()))["neo4j"]["containers"]
    given = {one["name"]: one["value"] for one in container["env"] if "value" in one}
    assert given == settings


def test_kustomization_lists_files_that_are_there() -> None:
    [listed] = read_documents((PLAIN / "kustomization.yaml").read_text())
    assert all((PLAIN / name).exists() for name in listed["resources"])


def test_the_chart_has_the_values_that_its_templates_use() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    schema = json.loads((CHART / "values.schema.json").read_text())
    used: set[str] = set()
    for template in sorted((CHART / "templates").iterdir()):
        text = template.read_text()
        actions = re.findall(r"\{\{-?\s*(.*?)\s*-?\}\}", text)
        assert len(actions) == text.count("{{") == text.count("}}"), template.name
        words = [action.split()[0] for action in actions]
        opened = sum(word in ("if", "range", "with", "define") for word in words)
        assert opened == words.count("end"), template.name
        used |= {path for action in actions for path in re.findall(r"\.Values\.([\w.]+)", action)}
    for path in used:
        at, described = values, schema
        for name in path.split("."):
            assert name in at, f"{path} is not in values.yaml"
            described = described["properties"][name]
            if reference := described.get("$ref"):
                described = schema["definitions"][reference.rpartition("/")[2]]
            at = at[name]
    assert {path.partition(".")[0] for path in used} == set(values)


def test_the_charts_settings_are_settings_and_its_secrets_are_secrets() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    listed = {*values["secretVariables"], *values["optionalSecretVariables"]}
    assert listed <= SECRETS
    assert set(values["settings"]) <= SETTINGS - SECRETS


def test_chart_and_files_are_of_the_version_of_the_package() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    [listed] = read_documents((PLAIN / "kustomization.yaml").read_text())
    assert chart["version"] == chart["appVersion"] == version[1]
    assert {image["newTag"] for image in listed["images"]} == {version[1]}
    for name in ("worker", "neo4j"):
        assert f"image: trellis-{name}:{version[1]}\n" in (PLAIN / f"{name}.yaml").read_text()


@pytest.mark.skipif(not shutil.which("helm"), reason="helm is not installed")
@pytest.mark.parametrize(
    "value",
    ["settings.TRELLIS_KEY=x", "settings.width=3", "replica=3", "worker.image.name=x", "secret="],
)
def test_helm_refuses_values_that_the_chart_does_not_have(value: str) -> None:
    with pytest.raises(AssertionError, match=r"schema|at '"):
        render_chart(value)


@pytest.mark.skipif(not shutil.which("helm"), reason="helm is not installed")
def test_numbers_among_the_settings_stay_as_they_are(tmp_path: Path) -> None:
    given = {"TRELLIS_BODY_LIMIT": 2_000_000, "TRELLIS_QUERY_TIMEOUT": 0.5, "TRELLIS_WIDTH": "20"}
    file = tmp_path / "values.yaml"
    file.write_text(yaml.safe_dump({"settings": given}))
    [data] = [it["data"] for it in list_kind(render_chart(file=file), "ConfigMap")]
    assert given.keys() <= data.keys()
    assert [data[name] for name in given] == ["2000000", "0.5", "20"]
