"""The cross-encoder that orders described nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trellis.domain.errors import ModelMissingError, UnsafeModelError
from trellis.engines.embeddings import find_minilm_folder
from trellis.engines.text_ranker import CrossEncoderRanker

sentence_transformers = pytest.importorskip("sentence_transformers")
TEXTS = ["a lamp for reading", "a kettle " * 900, "", "a tent"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder that has learnt nothing."""
    model = sentence_transformers.CrossEncoder(str(find_minilm_folder()), num_labels=1)
    model.save_pretrained(str(path := tmp_path_factory.mktemp("ranker")))
    return path


def test_each_text_gets_a_number_in_order(folder: Path) -> None:
    ranker = CrossEncoderRanker(str(folder), "cpu")
    logits = ranker.score("which lamp?", TEXTS)
    assert (logits.shape, logits.dtype) == ((4,), np.float32)
    assert np.allclose(ranker.score("which lamp?", TEXTS[::-1]), logits[::-1], atol=1e-4)
    assert ranker.score("which lamp?", []).shape == (0,)


def test_an_encoder_that_scores_nothing_is_refused() -> None:
    with pytest.raises(ModelMissingError, match="TRELLIS_RANKER"):
        CrossEncoderRanker(str(find_minilm_folder()), "cpu").score("which?", ["a"])


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match="TRELLIS_RANKER"):
        CrossEncoderRanker(str(tmp_path), "cpu").score("which?", ["a"])


def test_pickles_are_refused(tmp_path: Path) -> None:
    (tmp_path / "pytorch_model.bin").write_bytes(b"x")
    with pytest.raises(UnsafeModelError):
        CrossEncoderRanker(str(tmp_path), "cpu").score("which?", ["a"])
