"""Lessons of the reader: what is said stands among what may be said, and teaches."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from pathlib import Path

import numpy as np
import pytest
import torch

from small_reader import make_network
from trellis.domain.errors import TrainingError
from trellis.engines.embeddings import find_minilm_folder
from trellis.graph.database.progress import ignore_progress
from trellis.models.folder import read_card
from trellis.models.reader.features import TextEncoder
from trellis.models.reader.moves import KINDS, ReaderMove
from trellis.models.reader.reading import MoveMemory, QuestionScorer
from trellis.training.reader import teach
from trellis.training.reader.batches import BatchMaker, EncodedLessons
from trellis.training.reader.kept_vectors import keep_vectors, load_vectors
from trellis.training.reader.learn import learn, score_batch
from trellis.training.reader.lessons import Lessons, LessonWriter
from trellis.training.reader.made_schemas import SchemaMaker
from trellis.training.reader.make import ask_paths, ask_queries, make_lesson_files, make_lessons
from trellis.training.reader.naming import shorten_words, write_name
from trellis.training.reader.vocabulary import MadeVocabulary

VOCABULARY = MadeVocabulary.load()
MAKER = SchemaMaker(
    VOCABULARY, np.random.default_rng(0).normal(size=(len(VOCABULARY.kinds), 8)).astype(np.float32)
)
ENCODER = TextEncoder(find_minilm_folder())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two files of lessons, of three graphs."""
    folder = tmp_path_factory.mktemp("lessons")
    files = [folder / "a.npz", folder / "b.npz"]
    for file, seeds in zip(files, (range(4, 6), range(6, 7)), strict=True):
        make_lessons(MAKER, seeds, 12, 10).save(file)
    return files


@pytest.fixture(scope="module")
def lessons(files: list[Path]) -> Lessons:
    """The lessons of both files."""
    return Lessons.load(files)


@pytest.mark.parametrize("seed", range(4, 8))
def test_what_is_said_stands_among_what_may_be_said(seed: int) -> None:
    graph = MAKER.make_graph(seed)
    examples = [*ask_queries(graph, 10, seed), *ask_paths(graph, 10, seed)]
    assert len(examples) > 10
    for example in examples:
        said = [step.moves[step.said] for step in example.steps]
        assert KINDS[said[-1].kind] == "end" or "ENT" in example.question
        assert all(len(set(step.moves)) == len(step.moves) for step in example.steps)


def test_equal_seeds_make_equal_graphs_and_others_make_others() -> None:
    first, same, other = (MAKER.make_graph(seed).schema for seed in (1, 1, 2))
    assert first.fingerprint == same.fingerprint != other.fingerprint


def test_made_graphs_differ_in_size_and_in_how_they_write_names() -> None:
    schemas = [MAKER.make_graph(seed).schema for seed in range(12)]
    sizes = [len(schema.labels) for schema in schemas]
    types = [kind.type for schema in schemas for kind in schema.relationships]
    assert min(sizes) <= 4
    assert max(sizes) >= 12
    assert any(name.isupper() for name in types)
    assert any(not name.isupper() and not name.islower() for name in types)
    assert any(schema.relationship_properties for schema in schemas)


def test_what_is_left_out_is_in_no_graph() -> None:
    left = MadeVocabulary.load(frozenset(("directed_by", "person", "salary")))
    assert "person" in VOCABULARY.kinds
    assert "person" not in left.kinds
    assert len(left.relations) < len(VOCABULARY.relations)
    assert len(left.numbers) == len(VOCABULARY.numbers) - 1


def test_names_are_written_by_habit() -> None:
    styles = ("upper", "snake", "camel", "pascal", "lower")
    names = ["ACTED_IN", "acted_in", "actedIn", "ActedIn", "acted in"]
    assert [write_name("acted in", style) for style in styles] == names
    assert shorten_words("department of art") == "dprtmnt of art"


def test_lessons_come_back_from_their_files(lessons: Lessons) -> None:
    writer = LessonWriter()
    graph = MAKER.make_graph(6)
    examples = [*ask_queries(graph, 12, 6), *ask_paths(graph, 10, 6)]
    for example in examples:
        writer.add_example(example)
    last = len(lessons.questions) - len(writer.questions)
    example = examples[0]
    assert lessons.texts[lessons.questions[last]] == example.question
    for (site, said), step in zip(lessons.get_steps(last), example.steps, strict=True):
        kind, direction, words, context = lessons.moves[lessons.get_site(site)[said]]
        wanted = step.moves[step.said]
        assert (kind, direction) == (wanted.kind, wanted.direction)
        assert lessons.texts[words] == wanted.words
        assert lessons.texts[context] == " ".join(wanted.context.split())


@torch.no_grad()
def test_a_reader_scores_as_it_was_taught(lessons: Lessons) -> None:
    """The logits of a batch are those of answering, up to a constant of each step."""
    network = make_network().eval()
    encoded = EncodedLessons.encode(lessons, ENCODER)
    maker = BatchMaker(encoded, 1)
    example = next(n for n in range(len(lessons.questions)) if _is_path(lessons, n))
    batch = maker.build_batch(np.array([example]), np.random.default_rng(0))
    scores = score_batch(network, batch, "cpu")
    steps = [
        [_read_move(lessons, move) for move in lessons.get_site(site)]
        for site, _ in lessons.get_steps(example)
    ]
    said = [moves[said] for moves, (_, said) in zip(steps, lessons.get_steps(example), strict=True)]
    question = lessons.texts[lessons.questions[example]]
    scorer = QuestionScorer(MoveMemory(network, ENCODER), question, 1, lambda _: ())
    for number, moves in enumerate(steps):
        [answered] = scorer.score_moves([said[:number]], [moves])
        options = scores.options[0, number]
        taught = scores.logits[0, number][options].numpy()
        sizes = np.sort(taught - taught.max()), np.sort(answered.logits - answered.logits.max())
        np.testing.assert_allclose(*sizes, atol=1e-3)


def test_kept_vectors_are_those_of_the_encoder(files: list[Path]) -> None:
    network, [file, *_] = make_network().eval(), files
    keep_vectors(network, [file], ENCODER, ignore_progress)
    plain = EncodedLessons.encode(Lessons.load([file]), ENCODER)
    kept = replace(plain, vectors=load_vectors(file, plain))
    random = np.random.default_rng
    batches = [BatchMaker(each, 2).draw_batch(random(0)) for each in (plain, kept)]
    with torch.no_grad():
        read, known = (score_batch(network, batch, "cpu") for batch in batches)
    assert batches[1].texts.vectors is not None
    np.testing.assert_allclose(read.logits, known.logits, atol=0.02)
    assert (read.options == known.options).all()


def test_vectors_are_made_again_for_another_encoder(files: list[Path]) -> None:
    file, kept = files[0], files[0].with_suffix(".texts.npy")
    keep_vectors(make_network(), [file], ENCODER, ignore_progress)
    first = kept.stat().st_mtime_ns
    keep_vectors(make_network(), [file], ENCODER, ignore_progress)
    assert kept.stat().st_mtime_ns == first
    keep_vectors(make_network(seed=1), [file], ENCODER, ignore_progress)
    assert kept.stat().st_mtime_ns > first


def test_what_is_learnt_lowers_the_loss(files: list[Path]) -> None:
    keep_vectors(make_network(), files[:1], ENCODER, ignore_progress)
    encoded = EncodedLessons.encode(Lessons.load(files[:1]), ENCODER)
    maker = BatchMaker(replace(encoded, vectors=load_vectors(files[0], encoded)), 1)
    batch = maker.draw_batch(np.random.default_rng(0))
    losses: list[float] = []
    network, report = make_network().train(), (lambda *told: losses.append(told[1]))
    steps = learn(network, repeat(batch, 8), "cpu", report, lambda _: 0.0)
    assert steps == 8
    assert losses == sorted(losses, reverse=True)


def test_lessons_are_made_once(tmp_path: Path) -> None:
    [file] = make_lesson_files(MAKER, tmp_path, range(2))
    written = file.stat().st_mtime_ns
    assert list(make_lesson_files(MAKER, tmp_path, range(2))) == [file]
    assert file.stat().st_mtime_ns == written


@pytest.mark.slow
def test_a_reader_is_taught_from_files(files: list[Path], tmp_path: Path) -> None:
    network, encoder = make_network(), find_minilm_folder()
    kept = teach.KeptProgress(tmp_path / "reader.part.safetensors")
    kept.save(network, 0.5)
    assert kept.restore(make_network(seed=1)) == 0.5
    out, plan = tmp_path / "reader", teach.TeachingPlan(seconds=1.5, encoder_seconds=1.0, graphs=1)
    figures = teach.teach_reader(network, files, encoder, out, plan, ignore_progress)
    assert figures.steps > 0
    assert 0 <= figures.right_queries <= 1
    assert read_card(out).base == "reader"
    assert list(tmp_path.iterdir()) == [out]
    assert files[1].with_suffix(".questions.npy").is_file()
    with pytest.raises(TrainingError, match="1 files of lessons are too few"):
        teach.teach_reader(network, files[:1], encoder, out, plan, ignore_progress)


def _is_path(lessons: Lessons, example: int) -> bool:
    return "ENT" in lessons.texts[lessons.questions[example]]


def _read_move(lessons: Lessons, move: int) -> ReaderMove:
    kind, direction, words, context = map(int, lessons.moves[move])
    return ReaderMove(kind, direction, lessons.texts[words], lessons.texts[context])
