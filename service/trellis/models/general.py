"""General models: ordinary Hugging Face folders, whose cards are derived.

A folder without `trellis.json` was trained for no graph. Its card names the model and its
vocabulary; which tasks it is asked for is said by whoever asks (`methods.registry`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.domain.errors import ModelDamagedError, VocabularyMismatchError
from trellis.domain.models.card import ModelCard
from trellis.models.finding import find_model_folder
from trellis.models.folder import CARD, read_card, read_vocabulary
from trellis.models.plain_files import find_config_number, read_json_file

_CONFIG = "config.json"
_CAUSAL = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
_LENGTHS = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")
_LEAST_CONTEXT = 64
_USUAL_CONTEXT = 2_048


def is_general(folder: Path) -> bool:
    """Whether a folder is a model's, and was not written by `trellis train`."""
    return (folder / _CONFIG).is_file() and not (folder / CARD).is_file()


def read_any_card(model: Path | str, cache: Path) -> ModelCard:
    """The card of a model: as `trellis train` wrote it, else as it is derived.

    Raises as `find_model_folder`, `read_card` and `read_vocabulary`, and ModelDamagedError where
    the model is no causal language model.
    """
    folder = find_model_folder(model, cache)
    return derive_card(folder, str(model)) if is_general(folder) else read_card(folder)


def derive_card(folder: Path, name: str) -> ModelCard:
    """The card of a general model, which names no task.

    Raises ModelDamagedError or VocabularyMismatchError where it could write nothing.
    """
    check_causal(folder)
    vocabulary = read_vocabulary(folder)
    _check_size(folder, vocabulary)
    return ModelCard(name, {}, vocabulary.fingerprint, is_general=True)


def check_causal(folder: Path) -> None:
    """Raise ModelDamagedError where a folder's model does not write text."""
    config = _read_config(folder)
    named = config.get("architectures") or []
    is_other = named and not any(str(each).endswith(_CAUSAL) for each in named)
    if is_other or config.get("is_encoder_decoder"):
        kind = named[0] if named else config.get("model_type", "encoder with a decoder")
        raise ModelDamagedError(
            f"{folder} is a {kind}, which is no causal language model",
            "name an instruct model that writes text",
        )


def _check_size(folder: Path, vocabulary: TokenizerVocabulary) -> None:
    """Raise VocabularyMismatchError where the tokenizer has tokens that the model does not know.

    More than the tokenizer's it may know: many are padded. Nor does it need to know what was added
    to the tokenizer, since the texts of a prompt consist of the others.
    """
    known = find_config_number(_read_config(folder), ("vocab_size",))
    if known and known < vocabulary.text_tokens:
        raise VocabularyMismatchError(
            f"the tokenizer of {folder} has {vocabulary.text_tokens} tokens, its model {known}",
            "copy model and tokenizer from the same place",
        )


def read_context(folder: Path) -> int:
    """The tokens that a model can read, by its config."""
    return max(_LEAST_CONTEXT, find_config_number(_read_config(folder), _LENGTHS) or _USUAL_CONTEXT)


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / _CONFIG
    if not path.is_file():
        raise ModelDamagedError(f"{path} is missing", "copy the whole folder again")
    return read_json_file(path)
