"""Keeps the encoder's vectors of lessons in files, so that what stands on them is learnt in a small
part of the time.

Beside `x.npz` stand `x.texts.npy` and `x.questions.npy`, and `x.vectors.txt` with the fingerprint
of the encoder that made them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from trellis.graph.database.progress import Progress
from trellis.models.reader.features import TextEncoder
from trellis.models.reader.folder import list_learnt_weights
from trellis.models.reader.network import ReaderNetwork
from trellis.training.reader.batches import Array, EncodedLessons, TextVectors
from trellis.training.reader.lessons import Lessons

_AT_ONCE = 64  # texts


def keep_vectors(
    network: ReaderNetwork, files: Sequence[Path], encoder: TextEncoder, report: Progress
) -> None:
    """Write the vectors of the lessons of some files, but for those that are there."""
    wanted = _fingerprint_encoder(network)
    for number, file in enumerate(files):
        mark = file.with_suffix(".vectors.txt")
        if not mark.exists() or mark.read_text("utf-8") != wanted:
            _write_vectors(network, file, encoder)
            mark.write_text(wanted, "utf-8")
        report("files with vectors", number + 1, len(files))


def load_vectors(file: Path, encoded: EncodedLessons) -> TextVectors:
    """The vectors of a file of lessons, read from the disk where they are used."""
    offsets = np.cumsum([0, *encoded.texts.question_seen.sum(1)])
    return TextVectors(
        np.load(file.with_suffix(".texts.npy"), mmap_mode="r"),
        np.load(file.with_suffix(".questions.npy"), mmap_mode="r"),
        offsets,
    )


def _fingerprint_encoder(network: ReaderNetwork) -> str:
    sealed = hashlib.sha256()
    for name, weight in list_learnt_weights(network).items():
        if name.startswith("encoder."):
            sealed.update(weight.numpy().tobytes())
    return sealed.hexdigest()


@torch.inference_mode()
def _write_vectors(network: ReaderNetwork, file: Path, encoder: TextEncoder) -> None:
    was_training = network.training
    network.eval()
    texts = EncodedLessons.encode(Lessons.load([file]), encoder).texts
    rows = _read_rows(network, texts.ids, texts.seen)
    means = np.stack([row.astype(np.float32).mean(0) for row in rows]).astype(np.float16)
    np.save(file.with_suffix(".texts.npy"), means)
    tokens = _read_rows(network, texts.question_ids, texts.question_seen)
    np.save(file.with_suffix(".questions.npy"), np.concatenate(tokens))
    network.train(was_training)


def _read_rows(network: ReaderNetwork, ids: Array, seen: Array) -> list[Array]:
    """The vectors of each text's tokens [tokens, base], in half precision."""
    sizes = seen.sum(1)
    order = np.argsort(sizes, kind="stable")
    device = next(network.parameters()).device
    found: list[Array] = [np.zeros(0)] * len(ids)
    for first in range(0, len(ids), _AT_ONCE):
        own = order[first : first + _AT_ONCE]
        longest = max(1, int(sizes[own].max()))
        rows = (torch.from_numpy(each[own, :longest]).to(device) for each in (ids, seen))
        vectors = network.encoder(*rows).half().cpu().numpy()
        for place, row in zip(own, vectors, strict=True):
            found[place] = row[: sizes[place]]
    return found
