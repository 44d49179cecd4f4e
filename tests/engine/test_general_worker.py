"""A worker that serves an ordinary Hugging Face folder: its client asks it by chats."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from peft import LoraConfig, get_peft_model

from real_worker import running_worker, skip_without_vllm
from trellis.automata.one_of import OneOf
from trellis.domain.card import ModelCard
from trellis.domain.decoding import Search
from trellis.domain.prompt import Prompt, PromptMessage
from trellis.engines.local import LocalModel
from trellis.engines.worker import WorkerModel
from trellis.models.base import load_base
from trellis.models.folder import CARD, read_vocabulary, write_folder
from trellis.models.loading import take_loading_turn
from trellis.settings import BUNDLED_MODEL
from trellis.steps.retrieve.queries.settings import RankSettings
from trellis.training.tuning.network import copy_frame

pytestmark = pytest.mark.slow

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)
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


async def test_a_plain_folder_is_served_and_asked_by_its_own_template(tmp_path: Path) -> None:
    skip_without_vllm()
    folder = write_plain_folder(tmp_path / "plain")
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


def find_copies(folder: Path) -> list[Path]:
    """The weights that are neither the base's nor an adapter's."""
    return [path for path in folder.rglob("model.safetensors") if path.parent.name != "base"]


async def test_what_was_tuned_is_served_as_it_is_and_asked_by_chats(tmp_path: Path) -> None:
    skip_without_vllm()
    base = write_plain_folder(tmp_path / "base")
    torch.manual_seed(3)
    config = LoraConfig(r=8, target_modules="all-linear", init_lora_weights=False)
    with take_loading_turn():
        adapted = get_peft_model(load_base(str(base), tmp_path), config)

    def fill(fresh: Path) -> None:
        adapted.save_pretrained(fresh, save_embedding_layers=False)
        copy_frame(base, fresh)

    card = ModelCard.of(str(base), RankSettings(), vocabulary=read_vocabulary(base).fingerprint)
    folder = tmp_path / "tuned"
    write_folder(folder, replace(card, is_general=True, shots=0), fill)
    local = LocalModel.load(folder, "cpu", tmp_path)
    prompt = Prompt("rank", "which capital has ENT1", "Right", messages=CHAT)
    language, search = OneOf((" yes", " no", " perhaps")), Search(width=3)
    [expected] = await local.decode([prompt], [language], search)
    with running_worker(folder=folder, log=tmp_path / "log") as running:
        worker = await WorkerModel.connect(running.url, seconds=300)
        try:
            assert worker.card == local.card
            assert worker.template.source
            [written] = await worker.decode([prompt], [language], search)
        finally:
            await worker.close()
    assert [each.text for each in written] == [each.text for each in expected]
    assert [each.score for each in written] == pytest.approx(
        [each.score for each in expected], abs=1e-3
    )
    assert not find_copies(tmp_path)
