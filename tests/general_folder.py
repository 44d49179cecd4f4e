"""A general model as a Hugging Face folder: tiny, of random weights, with a chat template."""

from __future__ import annotations

from pathlib import Path

from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.training.examples import Example
from trellis.training.language_models import mini
from trellis.training.language_models.lesson import MiniShape

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)


def write_general_folder(folder: Path) -> Path:
    """The folder of a model that nobody trained."""
    folder.mkdir(parents=True, exist_ok=True)
    shape = MiniShape(width=32, layers=1, heads=2, words=200)
    prompt = build_masked_path_prompt("who knows ENT1")
    mini.make_mini([Example(prompt, (" ENT1", " -> KNOWS"))], [], shape, 0).save(folder)
    (folder / "chat_template.jinja").write_text(CHATML, "utf-8")
    return folder
