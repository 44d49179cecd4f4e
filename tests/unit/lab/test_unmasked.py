"""What a model writes without masks is read as the language has it, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lab.unmasked import UnmaskedModel, read_kindly
from trellis.automata.one_of import OneOf
from trellis.automata.reader import Reader
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.models.decoding import Search
from trellis.engines.local import LocalModel
from trellis.settings import BUNDLED_MODEL
from trellis.steps.retrieve.paths.path_prompt import build_path_prompt

MONGOLIA = Mention(22, 30, "mongolia", (Link(Node("1", "Mongolia", ("Country",)), 1.0, "exact"),))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("HAS_CAPITAL", "HAS_CAPITAL"),
        ("has capital", "HAS_CAPITAL"),
        ("Has_Capital", "HAS_CAPITAL"),
        ("has capitals", None),
        ("capital", None),
        ("", None),
    ],
)
def test_case_and_underscores_alone_are_overlooked(written: str, read: str | None) -> None:
    for start in ("", " ENT1 -> "):
        moves = [f"{start}{relation}" for relation in ("HAS_CAPITAL", "HAS_COAST_ON")]
        reader: Reader[Any, Any] = Reader(OneOf(moves))
        reading = read_kindly(reader, f"{start}{written}")
        assert (reading.text if reading else None) == (read and f"{start}{read}")


async def test_a_model_writes_freely_and_what_is_a_sentence_is_kept(tmp_path: Path) -> None:
    model = UnmaskedModel(LocalModel.load(BUNDLED_MODEL, "cpu", tmp_path))
    language = OneOf([" ENT1 -> HAS_CAPITAL", " ENT1 -> BORDERS"])
    prompt = build_path_prompt("what's the capital of mongolia", [MONGOLIA])
    [[sentence]] = await model.decode([prompt], [language], Search(width=5))
    assert (sentence.text, sentence.score) == (" ENT1 -> HAS_CAPITAL", 0.0)
    assert model.written == 5 > model.inside >= 1
