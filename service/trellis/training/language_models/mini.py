"""The mini: a Llama of .1–5M parameters from scratch, for one graph, in seconds to minutes.

Its tokenizer holds the graph's and the questions' words and several thousand frequent English
ones; their embeddings are MiniLM's word vectors, projected, and stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.models.loading import hide_progress_bars
from trellis.training.examples import Example
from trellis.training.language_models import pieces, words
from trellis.training.language_models.lesson import LanguageLesson, MiniShape
from trellis.training.language_models.rows import TokenRows


@dataclass(frozen=True, eq=False)
class Mini:
    """A model with its tokenizer."""

    model: LlamaForCausalLM
    tokenizer: Tokenizer
    shape: MiniShape

    @property
    def vocabulary(self) -> TokenizerVocabulary:
        return TokenizerVocabulary(self.tokenizer, [_token_id(self.tokenizer, pieces.END)])

    @property
    def own_tokens(self) -> list[int]:
        """The tokens that are no words: arrows, placeholders, letters, signs."""
        word_tokens = pieces.find_word_tokens(self.tokenizer)
        return [
            token for token in range(self.tokenizer.get_vocab_size()) if token not in word_tokens
        ]

    def save(self, folder: Path) -> None:
        """Write ordinary Hugging Face files, the weights in half precision: read as `float32`, as
        the configuration says, they take half the room and decode as well."""
        hide_progress_bars()
        halves = {name: value.half() for name, value in self.model.state_dict().items()}
        self.model.save_pretrained(folder, state_dict=halves)
        self.tokenizer.save(str(folder / "tokenizer.json"))
        names = {"eos_token": pieces.END, "pad_token": pieces.PAD}
        config = {"tokenizer_class": "PreTrainedTokenizerFast", **names}
        (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=1), "utf-8")


def make_mini(
    examples: Sequence[Example], sayable: Sequence[str], shape: MiniShape, seed: int
) -> Mini:
    """An untrained mini that knows the examples' words and the segments `sayable`."""
    prompts = [example.prompt.render() for example in examples]
    said = (segment for example in examples for segment in example.segments)
    tokenizer = pieces.build_tokenizer(
        [*dict.fromkeys(said), *sayable], words.frequent_words(shape.words), prompts
    )
    torch.manual_seed(seed)
    model: Any = LlamaForCausalLM(_configure_mini(tokenizer, shape))
    _set_embeddings(model, tokenizer, shape.width)
    return Mini(model, tokenizer, shape)


def count_steps(rows: TokenRows, lesson: LanguageLesson) -> int:
    """How long to train: more for more different sentences, not for more rows."""
    sentences = {row[prompt:] for row, prompt in zip(rows.tokens, rows.prompts, strict=True)}
    return max(lesson.least_steps, min(lesson.most_steps, 500 + 10 * len(sentences)))


def _configure_mini(tokenizer: Tokenizer, shape: MiniShape) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=shape.width,
        intermediate_size=2 * shape.width,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        max_position_embeddings=2048,
        attention_dropout=shape.dropout,
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=_token_id(tokenizer, pieces.END),
        pad_token_id=_token_id(tokenizer, pieces.PAD),
        initializer_range=0.05,
    )


def _set_embeddings(model: Any, tokenizer: Tokenizer, width: int) -> None:
    """Give word tokens their word's vector, for input and output."""
    word_of_token = pieces.find_word_tokens(tokenizer)
    distinct = sorted(set(word_of_token.values()))
    at = {word: i for i, word in enumerate(distinct)}
    vectors = torch.from_numpy(words.project_vectors(words.word_vectors(distinct), width))
    rows = vectors[torch.tensor([at[word] for word in word_of_token.values()])]
    with torch.no_grad():
        embedding: Tensor = model.get_input_embeddings().weight
        embedding.normal_(std=width**-0.5)
        embedding[torch.tensor(list(word_of_token))] = rows
        model.get_output_embeddings().weight.copy_(embedding)


def _token_id(tokenizer: Tokenizer, token: str) -> int:
    number = tokenizer.token_to_id(token)
    assert number is not None
    return number
