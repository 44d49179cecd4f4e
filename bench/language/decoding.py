"""The cost of decoding beside the model's forward passes, and the diversity of its sentences."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from math import exp
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import LlamaConfig, LlamaForCausalLM

from bench.figure import Figure
from bench.made.graphs import read_folder
from trellis.automata.paths.adjacency import cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.tries import SiteTries
from trellis.automata.tokens.vocabulary import Vocabulary
from trellis.decoding.scorer import Logits, Scorer
from trellis.decoding.search import decode
from trellis.domain.graphs.graph import Neighbourhood
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.engines.cached_scorer import CachedScorer
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt

_HOPS = 3


class Stopwatch:
    """Sums the seconds inside the functions it wraps; nested calls count once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0

    def time_calls(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""

        def run_timed(*args: Any, **kwargs: Any) -> Any:
            self._depth += 1
            began = time.perf_counter()
            try:
                return work(*args, **kwargs)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.seconds += time.perf_counter() - began

        return run_timed


class TimedScorer:
    """A scorer whose forward passes are timed."""

    def __init__(self, scorer: Scorer, watch: Stopwatch) -> None:
        self.begin: Callable[..., None] = watch.time_calls(scorer.begin)
        self.extend: Callable[..., None] = watch.time_calls(scorer.extend)
        self.read_logits: Callable[..., Logits] = watch.time_calls(scorer.read_logits)
        self.measure_mass: Callable[..., NDArray[np.float64]] = scorer.measure_mass


def create_timed_automaton(
    language: Walks, vocabulary: Vocabulary, tries: SiteTries, watch: Stopwatch
) -> Any:
    """A token automaton whose methods for masks and states are timed."""
    automaton: Any = TokenAutomaton(language, vocabulary, tries)
    for name in ("allowed_within", "allowed_tokens", "advance", "forced", "accepting"):
        setattr(automaton, name, watch.time_calls(getattr(automaton, name)))
    return automaton


def measure_decoding(atlas: Path, small_model: Any, vocabulary: Vocabulary) -> Iterator[Figure]:
    """Shares of time with a small and a large model; distinct sentences by search setting."""
    graph = read_folder(atlas)
    yield _measure_overhead(graph, small_model, vocabulary, 40)
    yield _measure_overhead(graph, _create_large_model(vocabulary.size), vocabulary, 3)
    yield from _measure_diversity(graph, small_model, vocabulary)


def _measure_overhead(
    graph: Neighbourhood, model: Any, vocabulary: Vocabulary, question_count: int
) -> Figure:
    forward, masks, tries = Stopwatch(), Stopwatch(), SiteTries()
    began = time.perf_counter()
    for prompt, language in make_questions(graph, question_count):
        automaton = create_timed_automaton(language, vocabulary, tries, masks)
        scorer = TimedScorer(CachedScorer(model), forward)
        decode(scorer, [vocabulary.encode(prompt.render())], [automaton], Search())
    total = time.perf_counter() - began
    size = model.num_parameters() / 1e6
    return Figure(
        f"beam search, 10 beams, {size:,.1f}M parameters, "
        f"{1000 * total / question_count:.0f} ms a question",
        f"masks {masks.seconds / total:.1%} of the time, "
        f"all but the model {1 - forward.seconds / total:.1%}",
        "goal < 5 % (1.4M), < 1 % (100M)",
    )


def make_questions(graph: Neighbourhood, count: int) -> Iterator[tuple[Prompt, Walks]]:
    """Plain questions about random nodes, each with its language; the same at each call."""
    random = Random(11)
    for topic in random.sample(range(len(graph.nodes)), count):
        hood = cut_neighbourhood(graph, [topic], _HOPS)
        relation = random.choice(hood.relation_types).replace("_", " ").lower()
        start = Start(" ENT1", (0,))
        language = Walks(hood, [start], hops=_HOPS, revisit="not_topic")
        yield build_masked_path_prompt(f"what is the {relation} of ENT1 ?"), language


def _create_large_model(size: int) -> Any:
    """A randomly initialised model of about 100M parameters, for timing alone."""
    config = LlamaConfig(
        vocab_size=size,
        hidden_size=768,
        intermediate_size=2048,
        num_hidden_layers=12,
        num_attention_heads=12,
    )
    torch.manual_seed(1)
    return LlamaForCausalLM(config).eval()


def _measure_diversity(
    graph: Neighbourhood, model: Any, vocabulary: Vocabulary
) -> Iterator[Figure]:
    settings = {
        "beam": Search(),
        **{f"beam, diversity {d}": Search(diversity=d) for d in (0.5, 1.0, 2.0)},
        "stochastic beam": Search(mode="stochastic_beam"),
        "10 samples": Search(mode="sample"),
    }
    pairs = list(make_questions(graph, 40))
    for name, search in settings.items():
        sentences = [_decode_question(model, vocabulary, *pair, search) for pair in pairs]
        yield Figure(
            f"distinct sentences of 10, {name}",
            _describe_diversity(sentences),
            "2 of 10 (20 of 200)",
        )


def _decode_question(
    model: Any, vocabulary: Vocabulary, prompt: Prompt, language: Walks, search: Search
) -> list[Sentence]:
    tokens = vocabulary.encode(prompt.render())
    automaton = TokenAutomaton(language, vocabulary)
    return decode(CachedScorer(model), [tokens], [automaton], search)[0]


def _describe_diversity(sentence_lists: Sequence[Sequence[Sentence]]) -> str:
    """The means of distinct sentences, distinct beginnings and total probability, as a text."""
    distinct = mean(len({s.tokens for s in sentences}) for sentences in sentence_lists)
    steps = [[s.values[0].paths[0].steps for s in sentences] for sentences in sentence_lists]
    firsts = mean(len({path[0] for path in paths}) for paths in steps)
    pairs = mean(len({path[:2] for path in paths}) for paths in steps)
    mass = mean(sum(exp(s.score) for s in sentences) for sentences in sentence_lists)
    return (
        f"{distinct:.1f}; first relations {firsts:.1f}, first two {pairs:.1f}, "
        f"probability {mass:.2f}"
    )
