"""The embedder of names."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from trellis.domain.errors import ModelMissingError
from trellis.engines.embeddings import SentenceEmbedder

pytest.importorskip("sentence_transformers")
TEXTS = ["film director", "a city in the north of France", "movie maker", "film director", "x"] * 20


@pytest.fixture(scope="module")
def minilm() -> SentenceEmbedder:
    return SentenceEmbedder(device="cpu")


def test_vectors_are_unit_in_order_and_near_in_meaning(minilm: SentenceEmbedder) -> None:
    vectors = minilm.embed(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((100, minilm.dimensions), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[:5], vectors[95:], atol=1e-6)
    assert vectors[0] @ vectors[2] > vectors[0] @ vectors[1]
    assert np.allclose(minilm.embed(["movie maker"])[0], vectors[2], atol=1e-5)
    assert minilm.embed([]).shape == (0, 384)


def test_several_threads_may_embed(minilm: SentenceEmbedder) -> None:
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(minilm.embed, [TEXTS] * 4)
    assert all(np.allclose(first, other, atol=1e-5) for other in others)


def test_a_folder_that_holds_no_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelMissingError, match="TRELLIS_EMBEDDER"):
        SentenceEmbedder(str(tmp_path)).embed(["x"])
