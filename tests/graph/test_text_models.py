"""The models that read texts: the embedder of names, and the cross-encoder that orders described
nodes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graph.trained import training_means, write_rows
from memory_graph import TrigramEmbedder
from real_neo4j import GraphFiller
from trellis.domain.errors import ModelMissingError, TrainingError, UnsafeModelError
from trellis.engines.embeddings import SentenceEmbedder, find_minilm_folder
from trellis.engines.text_ranker import CrossEncoderRanker
from trellis.graph.database.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.training.options import TrainingOptions, TrainingOutcome
from trellis.training.runner import train_tasks

sentence_transformers = pytest.importorskip("sentence_transformers")
EMBEDDER = TrigramEmbedder()
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


TOOLS = {
    "Brant": "A saw with a thin blade for cutting curves into boards of soft wood.",
    "Corvo": "A plane of beech with an iron that takes thin shavings off a long board.",
    "Dunn": "A brace that drills holes of half an inch into oak without any current.",
    "Eider": "A vice that holds a chair leg while both hands shape it with a spokeshave.",
    "Fenn": "A mallet of olive wood for driving chisels without hurting their handles.",
    "Gull": "A gauge that scratches a line along the edge of a plank at any distance.",
    "Heron": "A pot for hide glue with a second wall so that water keeps it warm.",
}
ASKED = ("cut curves", "shave a board", "drill holes", "hold a leg", "drive chisels", "mark lines")


async def train(connection: GraphConnection, folder: Path, names: Sequence[str]) -> TrainingOutcome:
    """A ranker in `folder` / "ranker", taught that each of these answers one of the questions."""
    rows = [
        {"id": str(number), "question": f"Which tool can {text}?", "answers": [name]}
        for number, (text, name) in enumerate(zip(ASKED, names, strict=True))
    ]
    files = write_rows(folder / "questions.jsonl", rows)
    graph = Neo4jGraph(connection, embedder=EMBEDDER)
    means = replace(training_means(connection, folder / "ranker"), graph=graph)
    options = TrainingOptions(folder / "ranker", files, steps=2, device="cpu")
    return await train_tasks(["rank"], means, options)


@pytest.fixture
async def tools(fill: GraphFiller) -> GraphConnection:
    create = "UNWIND $tools AS tool CREATE (:Tool {name: tool[0], about: tool[1]})"
    return await fill(create, EMBEDDER, tools=[[*tool] for tool in TOOLS.items()])


async def test_a_ranker_is_trained_by_questions_that_describe_nodes(
    tools: GraphConnection, tmp_path: Path
) -> None:
    outcome = await train(tools, tmp_path, [*TOOLS][: len(ASKED)])
    figures = outcome.card.training["text_rank"]
    assert (figures["learnt_from"], figures["kept_apart"]) == (5, 1)
    assert {"hit1_before", "hit1", "mrr_before", "mrr", "is_better"} <= figures.keys()
    logits = CrossEncoderRanker(str(tmp_path / "ranker"), "cpu").score("a saw?", TEXTS)
    assert np.isfinite(logits).all()
    again = await train(tools, tmp_path, [*TOOLS][: len(ASKED)])
    assert again.card.training == outcome.card.training


async def test_questions_that_find_nothing_right_teach_no_ranker(
    tools: GraphConnection, tmp_path: Path
) -> None:
    with pytest.raises(TrainingError, match="retrieve a right node"):
        await train(tools, tmp_path, ["nobody"] * len(ASKED))


NAMES = ["film director", "a city in the north of France", "movie maker", "film director", "x"] * 20


@pytest.fixture(scope="module")
def minilm() -> SentenceEmbedder:
    return SentenceEmbedder(device="cpu")


def test_vectors_are_unit_in_order_and_near_in_meaning(minilm: SentenceEmbedder) -> None:
    vectors = minilm.embed(NAMES)
    assert (vectors.shape, vectors.dtype) == ((100, minilm.dimensions), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[:5], vectors[95:], atol=1e-6)
    assert vectors[0] @ vectors[2] > vectors[0] @ vectors[1]
    assert np.allclose(minilm.embed(["movie maker"])[0], vectors[2], atol=1e-5)
    assert minilm.embed([]).shape == (0, 384)


def test_several_threads_may_embed(minilm: SentenceEmbedder) -> None:
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(minilm.embed, [NAMES] * 4)
    assert all(np.allclose(first, other, atol=1e-5) for other in others)


def test_a_folder_that_holds_no_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelMissingError, match="TRELLIS_EMBEDDER"):
        SentenceEmbedder(str(tmp_path)).embed(["x"])
