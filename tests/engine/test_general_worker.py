"""A worker that serves an ordinary Hugging Face folder: its client asks it by chats."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from real_worker import running_worker, skip_without_vllm
from trellis.automata.one_of import OneOf
from trellis.domain.decoding import Search
from trellis.domain.prompt import Prompt, PromptMessage
from trellis.engines.local import LocalModel
from trellis.engines.worker import WorkerModel
from trellis.models.folder import CARD
from trellis.settings import BUNDLED_MODEL

pytestmark = pytest.mark.slow

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)
CHAT = (
    PromptMessage("system", ("Say what is asked for.",)),
    PromptMessage("user", ("which capital has ENT1",)),
)


async def test_a_plain_folder_is_served_and_asked_by_its_own_template(tmp_path: Path) -> None:
    skip_without_vllm()
    folder = tmp_path / "plain"
    shutil.copytree(BUNDLED_MODEL, folder)
    (folder / CARD).unlink()
    (folder / "chat_template.jinja").write_text(CHATML, "utf-8")
    local = LocalModel.load(folder, "cpu", tmp_path)
    prompt = Prompt("rank", "which capital has ENT1", "Right", messages=CHAT)
    language, search = OneOf((" yes", " no", " perhaps")), Search(width=3)
    [expected] = await local.decode([prompt], [language], search)
    with running_worker(folder=folder, log=tmp_path / "log") as running:
        worker = await WorkerModel.connect(running.url, seconds=300)
        try:
            assert worker.card.is_general
            assert worker.card == local.card
            assert worker.template.source == CHATML
            assert worker.context > 0
            [written] = await worker.decode([prompt], [language], search)
        finally:
            await worker.close()
    assert [each.text for each in written] == [each.text for each in expected]
    assert [each.score for each in written] == pytest.approx(
        [each.score for each in expected], abs=1e-3
    )
