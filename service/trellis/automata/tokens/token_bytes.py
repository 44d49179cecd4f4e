"""What each token of a tokenizer adds to a text, as bytes: for text that no encoder has spelled."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_SPACE = "▁"
"""Stands for a space in tokens of the SentencePiece kind."""


def list_token_bytes(tokenizer: Tokenizer, size: int) -> list[bytes]:
    """The bytes of each of `size` tokens, as the tokenizer's decoder joins them; empty for special
    and added tokens, for the token of what is unknown, and for ids without a token."""
    decoders = _list_decoders(tokenizer)
    read = _find_token_reader(decoders)
    no_text = {token.content for token in tokenizer.get_added_tokens_decoder().values()}
    no_text.add(getattr(tokenizer.model, "unk_token", None) or "")
    unknown = getattr(tokenizer.model, "unk_id", None)
    listed = [b""] * size
    for text, token in tokenizer.get_vocab(with_added_tokens=True).items():
        if text not in no_text and token != unknown:
            listed[token] = read(text)
    return listed


def _list_decoders(tokenizer: Tokenizer) -> dict[str, dict[str, Any]]:
    """The steps of the tokenizer's decoder, by their type."""
    if tokenizer.decoder is None:
        return {}
    decoder = json.loads(tokenizer.decoder.__getstate__())
    return {step["type"]: step for step in decoder.get("decoders", [decoder])}


def _find_token_reader(decoders: dict[str, dict[str, Any]]) -> Callable[[str], bytes]:
    """How one token of a tokenizer with such a decoder is read."""
    if "ByteLevel" in decoders:
        return partial(_read_byte_letters, {letter: b for b, letter in enumerate(_BYTE_LETTERS)})
    if "WordPiece" in decoders:
        return partial(_read_piece, str(decoders["WordPiece"]["prefix"]))
    if decoders.keys() & {"Metaspace", "ByteFallback", "Replace"}:
        return partial(_read_spaced, "ByteFallback" in decoders)
    return _read_word


def _read_byte_letters(byte_of: dict[str, int], token: str) -> bytes:
    """A token in the alphabet of byte-level tokenizers."""
    read = [byte_of.get(letter, -1) for letter in token]
    return bytes(read) if min(read, default=-1) >= 0 else b""


def _read_piece(prefix: str, token: str) -> bytes:
    """A word, or where it begins with `prefix` the rest of one."""
    return (token[len(prefix) :] if token.startswith(prefix) else f" {token}").encode()


def _read_spaced(has_bytes: bool, token: str) -> bytes:
    """A token of the SentencePiece kind; with `has_bytes`, `<0x0A>` is a byte."""
    if has_bytes and len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
        return bytes.fromhex(token[3:5])
    return token.replace(_SPACE, " ").encode()


def _read_word(token: str) -> bytes:
    """A whole word."""
    return f" {token}".encode()


def _list_byte_letters() -> list[str]:
    """The letter that stands for each byte: itself where it can be seen, else one of 256 on."""
    seen = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte if byte in seen else next(others)) for byte in range(256)]


_BYTE_LETTERS = _list_byte_letters()
