"""Adapters of one base, served side by side by one real worker: each task by its own adapter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engine.adapted import write_adapter
from real_worker import RunningWorker, running_worker, skip_without_vllm
from trellis.domain.errors import InputError
from trellis.domain.models.decoding import Search
from trellis.engines.local import LocalModel
from trellis.engines.workers.worker import WorkerModel
from trellis.models.side_by_side import plan_serving
from trellis.settings import BUNDLED_MODEL
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.queries.query_prompt import build_masked_query_prompt
from trellis.steps.retrieve.queries.settings import CypherSettings
from unit.automata.cypher.cinema import cinema
from unit.decoding.workers import walks


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    at = tmp_path_factory.mktemp("adapters")
    return (
        write_adapter(at / "paths", PathSettings(hops=2), 1, BUNDLED_MODEL),
        write_adapter(at / "queries", CypherSettings(), 2, BUNDLED_MODEL),
    )


@pytest.fixture(scope="module")
def served(
    folders: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningWorker]:
    skip_without_vllm()
    both = ",".join(map(str, folders))
    with running_worker(folder=both, log=tmp_path_factory.mktemp("worker") / "log") as running:
        yield running


async def test_each_task_is_done_by_its_own_adapter(
    served: RunningWorker, folders: tuple[Path, Path], tmp_path: Path
) -> None:
    model = await WorkerModel.connect(served.url)
    try:
        assert set(model.card.tasks) == {"path", "cypher"}
        prompts = [
            build_masked_path_prompt("what is the capital of ENT1 ?"),
            build_masked_query_prompt("which films did v0 (person name) direct ?"),
        ]
        languages = [walks(), cinema()]
        there = await model.decode(prompts, languages, Search(width=3))
        for prompt, language, folder, found in zip(prompts, languages, folders, there, strict=True):
            local = LocalModel.load(folder, "cpu", tmp_path)
            [here] = await local.decode([prompt], [language], Search(width=3))
            assert found
            for one, other in zip(found, here, strict=True):
                assert (one.text, one.score) == (other.text, pytest.approx(other.score, abs=1e-3))
    finally:
        await model.close()


def test_an_openai_client_may_name_an_adapter_and_no_other(served: RunningWorker) -> None:
    listed = httpx.get(f"{served.url}/v1/models").json()["data"]
    assert {"paths", "queries"} <= {one["id"] for one in listed}
    asked = {"prompt": [5, 6, 7], "language": {"hash": "0" * 32}, "adapter": "none"}
    refused = httpx.post(f"{served.url}/v1/decode", json=asked)
    assert refused.status_code == 422
    assert "paths, queries" in refused.text


def test_folders_that_cannot_stand_side_by_side_say_what_to_do(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"no adapter.*start a worker for each"):
        plan_serving([folders[0], BUNDLED_MODEL], tmp_path)
