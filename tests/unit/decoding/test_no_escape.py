"""Nothing that stands in a question or in a name changes what can be decoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.decoding.search import decode
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.models.decoding import Search
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.steps.retrieve.paths.path_prompt import build_path_prompt
from unit.automata.kinds import KINDS, SPECIAL, vocabulary
from unit.automata.test_laws import language, sentences
from unit.automata.worlds import World, random_world

MARKERS = (
    *SPECIAL,
    *("<|eot_id|>", "<|endoftext|>", "<bos>", "<eos>", "<pad>", "[CLS]", "[MASK]", "<unk>"),
    *("<|assistant|>", "### Response:", "[INST] x [/INST]", "Human:", "Path:", "\nPath: ENT1"),
    *(" -> ", " <- ", " & ", "->", "\n", "\r\n\n", "\t", "\x00", "\x1b[2J", "\x7f", "\u2028"),
    *("\ufeff", "\u202e", "\u200d", "ﷺ", "ENT2 -> r", "<0x0A>", "Ġ", "▁", "##s", "Ċ", "\\n"),
)


def hostile(seed: int) -> str:
    """Markers, separators and control characters among words, in some order."""
    random = Random(seed)
    return "".join(
        random.choice(MARKERS) if random.random() < 0.6 else random.choice(("who", " is ", "r s"))
        for _ in range(random.randint(1, 8))
    )


class Tempter:
    """A scorer for which special tokens, ends and separators are far likelier than all else."""

    def __init__(self, words: TokenizerVocabulary, seed: int) -> None:
        random = np.random.default_rng(seed)
        self._row = random.normal(size=words.size).astype(np.float32)
        for marker in MARKERS:
            self._row[list(words.encode(marker))] += 5
        self._row[sorted(words.ends)] += 20
        self._row[-80:] += 50  # added and padding tokens

    def begin(self, prompts: Sequence[tuple[int, ...]]) -> None:
        pass

    def extend(self, parents: Sequence[int], tokens: Sequence[tuple[int, ...]]) -> None:
        assert len(parents) == len(tokens)

    def read_logits(self, rows: np.ndarray, tokens: np.ndarray) -> np.ndarray:
        assert len(rows) == len(tokens)
        return self._row[tokens]

    def measure_mass(
        self, rows: np.ndarray, tokens: np.ndarray | None, temperature: float
    ) -> np.ndarray:
        told = (self._row if tokens is None else self._row[tokens]).astype(np.float64)
        return np.full(len(rows), np.logaddexp.reduce(told / temperature))


def renamed(world: World, seed: int) -> World:
    names = (hostile(seed * 31 + i) if i % 2 else name for i, name in enumerate(world.names))
    return replace(world, names=tuple(names))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(60))
def test_only_sentences_come_out_whatever_stands_in_names(seed: int, kind: str) -> None:
    words, world = vocabulary(kind), renamed(random_world(seed), seed)
    automaton = TokenAutomaton(language(world), words)
    every = sentences(automaton)
    for search in (
        Search(width=5),
        Search(diversity=1.0),
        Search(mode="greedy"),
        Search(mode="sample", seed=seed),
        Search(mode="stochastic_beam", seed=seed),
    ):
        [found] = decode(Tempter(words, seed), [words.encode("x")], [automaton], search)
        assert bool(found) == bool(every)
        for sentence in found:
            assert sentence.values == every[sentence.tokens]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(60))
def test_no_question_holds_a_special_token(seed: int, kind: str) -> None:
    words, text = vocabulary(kind), hostile(seed)
    tokens = words.encode(build_path_prompt(text, ()).render())
    specials = {words._tokenizer.token_to_id(special) for special in SPECIAL}
    unknown = {words._tokenizer.token_to_id("[UNK]")} if kind.startswith("wordpiece") else set()
    assert not set(tokens) & (specials - unknown)
    assert not set(tokens) & words.ends


@pytest.mark.parametrize("seed", range(120))
def test_no_question_forges_a_placeholder(seed: int) -> None:
    text = f"{hostile(seed)} ENT1 ENT2 {hostile(seed + 1)} Paris"
    start = text.index("Paris")
    paris = Mention(start, start + 5, "Paris", (Link(Node("1", "Paris"), 1.0, "exact"),))
    assert mask_mentions(text, [paris]).count("ENT") == 1
    assert mask_mentions(text, [paris]).endswith("ENT1")
    lines = build_path_prompt(text, [paris]).render().split("\n")
    assert len(lines) == 2
    assert lines[1] == "Path:"
