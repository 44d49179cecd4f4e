"""English words and what they mean: MiniLM's word pieces and vectors, from its package.

A mini's token embeddings start from (and keep) these vectors, so that a word that training never
showed still stands near the words that it did.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from trellis.engines.embeddings import find_minilm_folder

Vectors = NDArray[np.float32]

_WORD = re.compile(r"[a-z]{2,}")
_PIECES = "embeddings.word_embeddings.weight"


def frequent_words(count: int | None = None) -> list[str]:
    """Frequent English words in lower case, most frequent first, as word pieces are ordered; all
    that are known where no count is given."""
    pieces = (find_minilm_folder() / "vocab.txt").read_text("utf-8").split("\n")
    return [piece for piece in pieces if _WORD.fullmatch(piece)][:count]


def word_vectors(words: Sequence[str]) -> Vectors:
    """`words` [n] to vectors [n, 384]: the mean of each word's pieces, centred, of unit length."""
    folder = find_minilm_folder()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    table: Vectors = load_file(folder / "model.safetensors")[_PIECES].astype(np.float32)
    mean = table[1000:].mean(0)
    rows = [tokenizer.encode(word, add_special_tokens=False).ids for word in words]
    vectors = np.stack([table[ids].mean(0) if ids else mean for ids in rows]) - mean
    return _normalise_length(vectors)


def project_vectors(vectors: Vectors, width: int) -> Vectors:
    """The first `width` principal components [n, width] of unit vectors [n, d], of unit length."""
    moment = vectors.T.astype(np.float64) @ vectors.astype(np.float64)
    _, basis = np.linalg.eigh(moment)
    basis = basis[:, ::-1][:, :width]
    basis *= np.where(basis[np.abs(basis).argmax(0), np.arange(width)] < 0, -1.0, 1.0)
    return _normalise_length((vectors @ basis).astype(np.float32))


def _normalise_length(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit
