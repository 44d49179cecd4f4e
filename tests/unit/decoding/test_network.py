"""Networks read block by block what transformers reads at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, LlamaConfig, MistralConfig, Qwen2Config

from trellis.engines import llama
from trellis.engines.cached_scorer import CachedScorer
from trellis.engines.llama import LlamaNetwork
from trellis.engines.network import TransformersNetwork, open_network
from trellis.engines.text_memory import KeptTexts

Tokens = tuple[int, ...]

SIZE = 60
SMALL: dict[str, Any] = {
    "vocab_size": SIZE,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "initializer_range": 0.3,
}
GROUPED: dict[str, Any] = {**SMALL, "num_key_value_heads": 2, "tie_word_embeddings": True}
STRETCHED = {"rope_type": "linear", "factor": 2.0, "rope_theta": 10_000.0}

PLAIN = {"as the mini": LlamaConfig(**SMALL), "as smollm2": LlamaConfig(**GROUPED)}
OTHER = {
    "another architecture": Qwen2Config(**SMALL, num_key_value_heads=4),
    "biases": LlamaConfig(**SMALL, attention_bias=True),
    "another activation": LlamaConfig(**SMALL, hidden_act="gelu"),
    "stretched positions": LlamaConfig(**SMALL, rope_parameters=STRETCHED),
}

STEPS: list[tuple[list[int], list[Tokens]]] = [
    ([1, 0, 1], [(1,), (2,), (3,)]),  # swapped and doubled
    ([0, 1, 2], [(4, 5), (6, 7), (8, 9)]),  # several tokens each
    ([2, 2], [(1, 2, 3), (4,)]),  # dropped, and of several lengths
    ([1, 0], [(10,), (11,)]),
]


def make_model(config: Any) -> Any:
    torch.manual_seed(3)
    return AutoModelForCausalLM.from_config(config).eval()


def read_all_logits(scorer: CachedScorer, rows: int) -> np.ndarray:
    row, token = np.meshgrid(np.arange(rows), np.arange(SIZE), indexing="ij")
    return scorer.read_logits(row.ravel(), token.ravel()).reshape(rows, SIZE)


@torch.inference_mode()
def read_text(model: Any, text: Tokens) -> np.ndarray:
    logits: np.ndarray = model(torch.tensor([text])).logits[0, -1].float().numpy()
    return logits


def check_growth(scorer: CachedScorer, model: Any, texts: list[Tokens]) -> None:
    """After each step, every row has the logits that its whole text has."""
    scorer.begin(texts)
    for steps, tokens in STEPS:
        parents = [min(at, len(texts) - 1) for at in steps]
        scorer.extend(parents, tokens)
        texts = [texts[at] + new for at, new in zip(parents, tokens, strict=True)]
        whole = np.stack([read_text(model, text) for text in texts])
        assert np.allclose(read_all_logits(scorer, len(texts)), whole, atol=1e-4, rtol=0)


@pytest.mark.parametrize("prompts", [[(5, 6, 7, 8), (9, 10)], [(5, 6, 7), (8, 9, 10)]])
@pytest.mark.parametrize("config", [*PLAIN.values(), *OTHER.values()], ids=[*PLAIN, *OTHER])
def test_rows_that_grow_have_the_logits_of_their_whole_text(
    config: Any, prompts: list[Tokens]
) -> None:
    model = make_model(config)
    scorer = CachedScorer(model)
    for _ in range(2):  # a scorer begins anew
        check_growth(scorer, model, prompts)


@pytest.mark.parametrize("config", PLAIN.values(), ids=PLAIN)
def test_a_plain_llama_is_run_in_few_operations(config: Any) -> None:
    assert isinstance(open_network(make_model(config)), LlamaNetwork)


@pytest.mark.parametrize("config", OTHER.values(), ids=OTHER)
def test_any_other_model_is_run_by_transformers(config: Any) -> None:
    assert isinstance(open_network(make_model(config)), TransformersNetwork)


@pytest.mark.parametrize("config", [*PLAIN.values(), *OTHER.values()], ids=[*PLAIN, *OTHER])
def test_a_text_that_rows_and_questions_share_is_read_once(config: Any) -> None:
    model, kept = make_model(config), KeptTexts()
    instructions = tuple(at % SIZE for at in range(100))
    questions = [[(1, 2), (3,)], [(1, 2, 7)], [(9, 8), (9, 8)]]
    for endings in questions:
        texts = [(*instructions, *ending) for ending in endings]
        check_growth(CachedScorer(model, kept), model, texts)
    found = kept.find_beginning((*instructions, 5))
    assert found is not None
    assert found.tokens == instructions


def test_layers_that_forget_read_every_text_anew() -> None:
    config = MistralConfig(**SMALL, num_key_value_heads=2, sliding_window=8)
    model, kept = make_model(config), KeptTexts()
    text = tuple(at % SIZE for at in range(80))
    scorer = CachedScorer(model, kept)
    scorer.begin([(*text, 1), (*text, 2)])
    scorer.extend([0, 1], [(3,), (4, 5)])
    whole = np.stack([read_text(model, (*text, *end)) for end in [(1, 3), (2, 4, 5)]])
    assert np.allclose(read_all_logits(scorer, 2), whole, atol=1e-4, rtol=0)
    assert kept.find_beginning(text) is None


def test_the_texts_that_are_kept_are_those_used_last() -> None:
    kept = KeptTexts(2)
    model = open_network(make_model(PLAIN["as the mini"]))
    for text in [(1, 2, 3), (4, 5, 6), (1, 2, 3, 7), (8, 9)]:
        memory = model.read_text(text, kept.find_beginning(text))
        assert memory is not None
        kept.keep(memory)
    assert kept.find_beginning((4, 5)) is None  # read before all others that are kept
    for text, remembered in [((1, 2, 3, 7), (1, 2, 3, 7)), ((8, 1), (8,))]:
        found = kept.find_beginning(text)
        assert found is not None
        assert found.tokens == remembered


def test_a_few_tokens_have_the_logits_that_they_have_among_all() -> None:
    scorer = CachedScorer(make_model(PLAIN["as the mini"]))
    scorer.begin([(1, 2), (3, 4)])
    every = read_all_logits(scorer, 2)
    rows, tokens = np.array([1, 0, 0, 1]), np.array([9, 7, 9, 9])
    assert np.allclose(scorer.read_logits(rows, tokens), every[rows, tokens], atol=1e-5, rtol=0)


@pytest.mark.parametrize("config", PLAIN.values(), ids=PLAIN)
def test_half_precision_reads_as_transformers_does(config: Any) -> None:
    model = make_model(config).to(torch.bfloat16)
    scorer = CachedScorer(model)
    scorer.begin([(5, 6, 7), (8, 9, 10)])
    scorer.extend([0, 1], [(1,), (2,)])
    texts = [(5, 6, 7, 1), (8, 9, 10, 2)]
    whole = np.stack([read_text(model, text) for text in texts])
    assert np.allclose(read_all_logits(scorer, 2), whole, atol=0.1, rtol=0.05)


@pytest.mark.parametrize("config", [PLAIN["as the mini"], OTHER["biases"]])
def test_the_mass_of_many_tokens_is_of_those_that_are_asked_for(
    config: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llama, "_MANY", 4)
    model, scorer, row = make_model(config), CachedScorer(make_model(config)), np.zeros(1, np.intp)
    one, other = np.arange(0, 30), np.arange(20, 60)
    text: Tokens = (5, 6, 7)
    scorer.begin([text])
    for token in (1, 2, 3):
        logits = read_text(model, text)
        for asked in (one, other, one, one.copy()):
            [mass] = scorer.measure_mass(row, asked, 1.0)
            assert mass == pytest.approx(np.logaddexp.reduce(logits[asked]), abs=1e-5)
        scorer.extend([0], [(token,)])
        text = (*text, token)
