"""A worker that serves an ordinary Hugging Face folder: its client asks it by chats."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from engine.adapted import write_adapter
from general_folder import CHATML
from real_worker import running_worker, skip_without_vllm
from trellis.automata.one_of import OneOf
from trellis.domain.models.decoding import Search
from trellis.domain.models.prompt import Prompt, PromptMessage
from trellis.engines.local import LocalModel
from trellis.engines.workers.worker import WorkerModel
from trellis.models.folder import CARD
from trellis.settings import BUNDLED_MODEL
from trellis.steps.retrieve.queries.settings import RankSettings

pytestmark = pytest.mark.slow

CHAT = (
    PromptMessage("system", ("Say what is asked for.",)),
    PromptMessage("user", ("which capital has ENT1",)),
)


def write_plain_folder(folder: Path) -> Path:
    """The bundled model as a Hugging Face folder with a chat template."""
    shutil.copytree(BUNDLED_MODEL, folder)
    (folder / CARD).unlink()
    (folder / "chat_template.jinja").write_text(CHATML, "utf-8")
    return folder


async def serve_as_written_here(folder: Path, tmp_path: Path) -> WorkerModel:
    """The closed client of a worker that wrote what the model writes in this process."""
    local = LocalModel.load(folder, "cpu", tmp_path)
    prompt = Prompt("rank", "which capital has ENT1", "Right", messages=CHAT)
    language, search = OneOf((" yes", " no", " perhaps")), Search(width=3)
    [expected] = await local.decode([prompt], [language], search)
    with running_worker(folder=folder, log=tmp_path / "log") as running:
        worker = await WorkerModel.connect(running.url, seconds=300)
        try:
            [written] = await worker.decode([prompt], [language], search)
        finally:
            await worker.close()
    assert worker.card == local.card
    assert [each.text for each in written] == [each.text for each in expected]
    assert [each.score for each in written] == pytest.approx(
        [each.score for each in expected], abs=1e-3
    )
    return worker


async def test_a_plain_folder_is_served_and_asked_by_its_own_template(tmp_path: Path) -> None:
    skip_without_vllm()
    worker = await serve_as_written_here(write_plain_folder(tmp_path / "plain"), tmp_path)
    assert worker.card.is_general
    assert worker.template.source == CHATML
    assert worker.context > 0


def find_copies(folder: Path) -> list[Path]:
    """The weights that are neither the base's nor an adapter's."""
    return [path for path in folder.rglob("model.safetensors") if path.parent.name != "base"]


async def test_what_was_tuned_is_served_as_it_is_and_asked_by_chats(tmp_path: Path) -> None:
    skip_without_vllm()
    base = write_plain_folder(tmp_path / "base")
    folder = write_adapter(tmp_path / "tuned", RankSettings(), 3, base, is_general=True)
    worker = await serve_as_written_here(folder, tmp_path)
    assert worker.template.source
    assert not find_copies(tmp_path)
