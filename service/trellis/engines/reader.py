"""The reader: a small general model that answers over any schema, without training for the graph.

It scores the moves of a language by the question's words (`models/reader`), so that a graph can be
asked right after it was loaded, and a changed schema in the next question.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from trellis.automata.assertions.language import AssertionLanguage
from trellis.automata.chains.language import SetChains
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.paths.segments import step_text
from trellis.automata.paths.walk_states import WalkState
from trellis.automata.paths.walks import Walks
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.schema_graphs.language import SchemaGraphLanguage
from trellis.decoding.move_search import MoveLanguage, search_moves
from trellis.domain.errors import WrongTaskError
from trellis.domain.graphs.graph import Step
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.engines.embeddings import find_minilm_folder
from trellis.engines.stopping import StoppedError
from trellis.lexicon.relations.one_way_relations import list_one_way_relations
from trellis.models.folder import read_card
from trellis.models.reader.chain_walks import ChainWalks
from trellis.models.reader.features import TextEncoder
from trellis.models.reader.folder import build_network, load_weights
from trellis.models.reader.moves import ReaderMove, list_query_moves, pair_turns, read_walk_move
from trellis.models.reader.network import ReaderNetwork
from trellis.models.reader.reading import MoveMemory, QuestionScorer
from trellis.models.reader.schema_graph_words import AssertionWordScorer
from trellis.models.reader.told_walks import AssertionWalks, PatternWalks

_QUERIES, _PATHS = 0, 1
_Pair = Callable[[Sequence[ReaderMove]], Sequence[tuple[int, int]]]


class ReaderModel:
    """Scores the moves of the languages of all tasks; reads one question at a time."""

    def __init__(self, network: ReaderNetwork, encoder: TextEncoder, card: ModelCard) -> None:
        self._memory = MoveMemory(network.eval(), encoder)
        self._card = card
        self._turn = threading.Lock()

    @classmethod
    def load(cls, folder: Path) -> ReaderModel:
        """The reader of a folder.

        Raises ModelMissingError, ModelDamagedError or ModelOutdatedError.
        """
        card, encoder = read_card(folder), find_minilm_folder()
        network = build_network(encoder)
        load_weights(network, folder)
        return cls(network, TextEncoder(encoder), card)

    @property
    def card(self) -> ModelCard:
        return self._card

    def count_bytes(self) -> int:
        """The bytes of its weights."""
        parameters = self._memory.network.parameters()
        return sum(each.numel() * each.element_size() for each in parameters)

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """For each prompt up to `search.width` sentences, best first.

        Raises WrongTaskError for languages whose moves it has not learnt, InputError for searches
        that are no plain beam search.
        """
        stop = threading.Event()
        try:
            return [
                await asyncio.to_thread(self._read_question, prompt, language, search, stop)
                for prompt, language in zip(prompts, languages, strict=True)
            ]
        finally:
            stop.set()  # a thread cannot be cancelled: it stops at its next move

    def _read_question(
        self, prompt: Prompt, language: Any, search: Search, stop: threading.Event
    ) -> list[Sentence]:
        if isinstance(language, SchemaGraphLanguage):
            words = AssertionWordScorer(language, prompt.question)
            return search_moves(language, words, search)
        task = _find_read_task(prompt, language)

        def read_or_stop(state: Any) -> Sequence[ReaderMove]:
            if stop.is_set():
                raise StoppedError
            return task.read_site(state)

        with self._turn, torch.inference_mode():
            scorer = QuestionScorer(
                *(self._memory, prompt.question, task.number, read_or_stop),
                *(task.pair, task.every, task.one_way),
            )
            return search_moves(task.language, scorer, search)


@dataclass(frozen=True, slots=True)
class _ReadTask:
    """How a language is read: the number of the task that the network has learnt, what stands for
    the language, what the moves of its states say, which of them turn one relationship, what may
    be said over the graph's schema, and the words of relationships whose direction is judged where
    the other one is missing."""

    number: int
    language: MoveLanguage
    read_site: Callable[[Any], Sequence[ReaderMove]]
    pair: _Pair = pair_turns
    every: Sequence[ReaderMove] = ()
    one_way: Collection[str] = ()


def _find_read_task(prompt: Prompt, language: Any) -> _ReadTask:
    if isinstance(language, CypherLanguage) and language.options.rendering == "brief":
        return _ReadTask(_QUERIES, language, partial(list_query_moves, language))
    if isinstance(language, Walks) and language.rendering == "relations":
        like = _list_like_words(language)
        task = _read_walks(language, language, like)
        return replace(task, one_way=list_one_way_relations(like))
    if isinstance(language, SetChains):
        chains = ChainWalks(language)
        return _ReadTask(_PATHS, chains, chains.list_moves, _pair_none)
    if told := _find_told_walks(language):
        return _read_walks(told, told.walks, _list_like_words(told.walks))
    raise WrongTaskError(
        f"the reader does not do task {prompt.task!r}",
        f"train a model with `trellis train --task {prompt.task}`, and name it before a comma",
    )


def _find_told_walks(language: Any) -> PatternWalks | AssertionWalks | None:
    """The walks that a language may be said by; None where it has none."""
    if isinstance(language, PatternLanguage) and language.walks:
        return PatternWalks(language, language.walks)
    if isinstance(language, AssertionLanguage) and language.walks:
        return AssertionWalks(language, language.walks)
    return None


def _list_like_words(walks: Walks) -> frozenset[str]:
    """The words of the relationships between nodes of one label."""
    return frozenset(read_walk_move(step_text(Step(type_))).words for type_ in walks.like)


def _read_walks(language: MoveLanguage, walks: Walks, like: Collection[str]) -> _ReadTask:
    """How walks are read, or a language that is said by them."""
    pair, every = partial(pair_turns, among=like), _read_walk_moves(walks.alphabet)
    return _ReadTask(_PATHS, language, partial(_list_walk_moves, walks), pair, every)


def _pair_none(moves: Sequence[ReaderMove]) -> Sequence[tuple[int, int]]:  # noqa: ARG001
    """None: chains do not know between which labels their relations lead."""
    return ()


def _list_walk_moves(language: Walks, state: WalkState) -> Sequence[ReaderMove]:
    return _read_walk_moves(language.moves(state).texts)


def _read_walk_moves(texts: Iterable[str]) -> Sequence[ReaderMove]:
    return [read_walk_move(text) for text in texts]
