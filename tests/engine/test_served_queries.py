"""From gold queries to an answer: a base is tuned, merged, served by vLLM, and asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from graph.police import HOW_MANY, KIM, POLICE
from graph.trained import write_rows
from real_neo4j import GraphFiller
from real_worker import skip_without_vllm
from trellis.cli.operation.children import run_command, start_command
from trellis.domain.replies.question import Question
from trellis.models.base import SMOLLM2, find_base_folder
from trellis.settings import Settings
from trellis.wire.bodies import ReplyBody
from trellis.wiring.assemble import assemble_app
from trellis_command import build_environment, call_trellis

pytestmark = pytest.mark.slow

ROY = "How many crimes did officer Roy investigate?"
GOLD = (
    {"id": "1", "question": "Which crimes did officer Kim investigate?", "cypher": KIM},
    {"id": "2", "question": "How many crimes did officer Kim investigate?", "cypher": HOW_MANY},
)
TRAIN = ("train", "--task", "cypher", "--base", SMOLLM2, "--prompts", "question", "--batch", "8")
SHORT = ("--steps", "12", "--limit", "20")
PATIENCE = {"WORKER_TIMEOUT": "300", "QUESTION_TIMEOUT": "600"}
SAME = ("count", "evidence", "cypher", "params", "rows", "mentions")


@pytest.fixture(scope="module")
def environment(neo4j_uri: str) -> Iterator[dict[str, str]]:
    """A user's, with this graph and the base as it was converted once; what is merged is thrown
    away."""
    skip_without_vllm()
    with TemporaryDirectory() as folder:
        converted = find_base_folder(SMOLLM2, Settings(_env_file=None).cache)
        Path(folder, SMOLLM2).symlink_to(converted, target_is_directory=True)
        yield build_environment(NEO4J_URI=neo4j_uri, CACHE=folder, DEVICE="cpu", **PATIENCE)


async def test_a_tuned_base_answers_through_a_worker_as_it_does_by_itself(
    fill: GraphFiller, environment: dict[str, str], tmp_path: Path
) -> None:
    await fill(POLICE)
    questions, model = tmp_path / "gold.jsonl", tmp_path / "model"
    write_rows(questions, GOLD)
    run_command(
        [*TRAIN, *SHORT, "--questions", str(questions), "--out", str(model)], environment, tmp_path
    )
    assert (model / "adapter_config.json").is_file()
    with start_command(
        ["worker", "--model", str(model), "--port", "0"], environment, tmp_path
    ) as child:
        here = await answered(environment, model)
        there = asked(tmp_path, environment | {"TRELLIS_WORKER_URL": child.wait_for_address()})
    assert {name: there[name] for name in SAME} == {name: here[name] for name in SAME}
    assert said(there) == said(here)
    assert (there["count"], there["rows"]) == (1, [[1]])


async def answered(environment: dict[str, str], model: Path) -> dict[str, Any]:
    """What the model answers in this process."""
    own = Settings(
        neo4j_uri=environment["TRELLIS_NEO4J_URI"],
        cache=Path(environment["TRELLIS_CACHE"]),
        device="cpu",
        question_timeout=float(environment["TRELLIS_QUESTION_TIMEOUT"]),
        _env_file=None,
    )
    async with assemble_app(own, str(model)) as opened:
        reply = await opened.answer(Question(ROY), "graphraft")
    return json.loads(ReplyBody.of("here", reply).model_dump_json())  # type: ignore[no-any-return]


def asked(folder: Path, environment: dict[str, str]) -> dict[str, Any]:
    """What a user is answered by the command."""
    done = call_trellis(folder, environment, "ask", ROY, "--method", "graphraft", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def said(answer: dict[str, Any]) -> list[tuple[str, int | None]]:
    """The candidates and how many rows they gave; engines may round their scores differently."""
    return [(one["text"], one.get("answers")) for one in answer["candidates"]]
