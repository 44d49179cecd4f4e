"""Lessons of the reader as arrays of integers: texts, moves, sites, and examples as steps.

An example is a question and the moves of its sentence, each among the moves of its site. Texts,
moves and sites are kept once for all examples that share them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.automata.cypher.language import CypherLanguage
from trellis.models.reader.moves import END_MOVE, ReaderMove, list_query_moves

Ragged = tuple[NDArray[Any], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class ReaderStep:
    """The moves of a site, and the index of the one that is said."""

    moves: tuple[ReaderMove, ...]
    said: int


@dataclass(frozen=True, slots=True)
class ReaderExample:
    """A question with its steps; `graph`: the number of the graph that it is of."""

    question: str
    steps: tuple[ReaderStep, ...]
    graph: int


def trace_query(
    language: CypherLanguage, segments: Sequence[str], known: dict[Hashable, tuple[ReaderMove, ...]]
) -> tuple[ReaderStep, ...]:
    """The steps of a sentence of the Cypher language; `known`: the moves of sites seen before."""
    state, steps = language.start(), []
    for segment in (*segments, None):
        key = language.site(state), state.is_complete
        if key not in known:
            end = (END_MOVE,) if state.is_complete else ()
            known[key] = (*end, *list_query_moves(language, state))
        moves, shift = known[key], int(state.is_complete)
        if segment is None:
            steps.append(ReaderStep(moves, 0))
            break
        texts = language.moves(state).texts
        said = texts.index(segment)
        steps.append(ReaderStep(moves, said + shift))
        behind = language.follow(state, said)
        assert behind is not None, "the language of Cypher excludes no move"
        state = behind
    return tuple(steps)


@dataclass
class LessonWriter:
    """Collects examples, and saves them as arrays."""

    texts: dict[str, int] = field(default_factory=dict)
    moves: dict[ReaderMove, int] = field(default_factory=dict)
    sites: dict[tuple[int, ...], int] = field(default_factory=dict)
    questions: list[int] = field(default_factory=list)
    graphs: list[int] = field(default_factory=list)
    steps: list[list[tuple[int, int]]] = field(default_factory=list)
    _site_of_moves: dict[tuple[ReaderMove, ...], int] = field(default_factory=dict)

    def add_example(self, example: ReaderExample) -> None:
        self.questions.append(self._number_text(example.question))
        self.graphs.append(example.graph)
        self.steps.append([(self._number_site(step.moves), step.said) for step in example.steps])

    def save(self, file: Path) -> None:
        """Write all as one compressed file."""
        site_moves, site_offsets = _join_rows([list(site) for site in self.sites])
        flat = [[value for pair in steps for value in pair] for steps in self.steps]
        steps, step_offsets = _join_rows(flat)
        moves = sorted(self.moves, key=self.moves.__getitem__)
        table = [[m.kind, m.direction, self.texts[m.words], self.texts[m.context]] for m in moves]
        np.savez_compressed(
            file,
            texts=np.array("\n".join(self.texts)),
            moves=np.array(table, np.int32).reshape(-1, 4),
            site_moves=site_moves,
            site_offsets=site_offsets,
            steps=steps,
            step_offsets=step_offsets,
            questions=np.array(self.questions, np.int32),
            graphs=np.array(self.graphs, np.int32),
        )

    def _number_site(self, moves: tuple[ReaderMove, ...]) -> int:
        if moves not in self._site_of_moves:
            numbers = tuple(map(self._number_move, moves))
            self._site_of_moves[moves] = self.sites.setdefault(numbers, len(self.sites))
        return self._site_of_moves[moves]

    def _number_move(self, move: ReaderMove) -> int:
        self._number_text(move.words)
        self._number_text(move.context)
        return self.moves.setdefault(move, len(self.moves))

    def _number_text(self, text: str) -> int:
        text = " ".join(text.split())
        return self.texts.setdefault(text, len(self.texts))


@dataclass(frozen=True, eq=False)
class Lessons:
    """Lessons as they are learnt.

    `texts`: all texts. `moves` [m, 4]: kind, direction, and the texts of words and context. `sites`
    and `steps`: rows of numbers and their offsets; steps are pairs of a site and an index in it.
    """

    texts: tuple[str, ...]
    moves: NDArray[np.int32]
    sites: Ragged
    steps: Ragged
    questions: NDArray[np.int32]
    graphs: NDArray[np.int32]

    @classmethod
    def load(cls, files: Iterable[Path]) -> Lessons:
        """The lessons of several files, joined; the graphs of each are others."""
        parts = [cls._load_one(file) for file in files]
        texts: dict[str, int] = {}
        moves, sites, steps, questions, graphs = [], [], [], [], []
        move_shift = site_shift = graph_shift = 0
        for part in parts:
            number = np.array([texts.setdefault(text, len(texts)) for text in part.texts], np.int32)
            table = part.moves.copy()
            table[:, 2:] = number[table[:, 2:]]
            moves.append(table)
            sites.append((part.sites[0] + move_shift, np.diff(part.sites[1])))
            shifted = part.steps[0].copy()
            shifted[::2] += site_shift
            steps.append((shifted, np.diff(part.steps[1])))
            questions.append(number[part.questions])
            graphs.append(part.graphs + graph_shift)
            move_shift += len(table)
            site_shift += len(part.sites[1]) - 1
            graph_shift += int(part.graphs.max(initial=0)) + 1
        return cls(
            tuple(texts),
            np.concatenate(moves),
            _join_ragged(sites),
            _join_ragged(steps),
            np.concatenate(questions),
            np.concatenate(graphs),
        )

    @classmethod
    def _load_one(cls, file: Path) -> Lessons:
        with np.load(file) as kept:
            return cls(
                tuple(str(kept["texts"]).split("\n")),
                kept["moves"],
                (kept["site_moves"], kept["site_offsets"]),
                (kept["steps"], kept["step_offsets"]),
                kept["questions"],
                kept["graphs"],
            )

    def get_site(self, site: int) -> NDArray[np.int32]:
        """The moves of a site."""
        rows, offsets = self.sites
        return rows[offsets[site] : offsets[site + 1]]

    def get_steps(self, example: int) -> NDArray[np.int32]:
        """The steps of an example [steps, 2]: sites, and indices of what is said."""
        rows, offsets = self.steps
        return rows[offsets[example] : offsets[example + 1]].reshape(-1, 2)


def _join_rows(rows: Sequence[Sequence[int]]) -> Ragged:
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.array([value for row in rows for value in row], np.int32), offsets


def _join_ragged(parts: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> Ragged:
    sizes = np.concatenate([sizes for _, sizes in parts])
    offsets = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    return np.concatenate([rows for rows, _ in parts]), offsets
