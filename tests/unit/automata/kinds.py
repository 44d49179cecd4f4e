"""Real tokenizers of several kinds and sizes, made here: byte-level BPE, one that merges across
segment borders, SentencePiece-like and WordPiece-like ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, product
from string import ascii_lowercase

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

from trellis.automata.tokens.vocabulary import TokenizerVocabulary

SPECIAL = ("<|end|>", "ENT1", "<s>", "</s>", "[UNK]", "[SEP]", "<|im_start|>", "<|im_end|>")
KINDS = ("bytes-500", "merging-500", "sentencepiece-32000", "wordpiece-32000", "bytes-128000")
LOSSLESS = ("bytes-500", "merging-500", "bytes-128000")


@cache
def vocabulary(kind: str) -> TokenizerVocabulary:
    """The vocabulary of a kind, `name-size`; masks are padded to a multiple of 64."""
    name, size = kind.split("-")
    tokenizer = _MADE[name](int(size))
    tokenizer.add_special_tokens([AddedToken(text, special=True) for text in SPECIAL])
    end = tokenizer.token_to_id("<|end|>")
    padded = -(-tokenizer.get_vocab_size() // 64) * 64 + 64
    return TokenizerVocabulary(tokenizer, [end], padded)


def _bytes(size: int, merging: bool = False) -> Tokenizer:
    """Byte-level BPE whose merges join letters from the left; `merging`: and words, and arrows."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    firsts = [*"Ġ->r", *ascii_lowercase] if merging else ["Ġ", *ascii_lowercase]
    merges = list(islice(_merges(firsts, firsts if merging else ascii_lowercase), size - 256))
    words = [*letters, *dict.fromkeys("".join(pair) for pair in merges)]
    tokenizer = Tokenizer(models.BPE({word: i for i, word in enumerate(words)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(
        add_prefix_space=False, use_regex=not merging
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _sentencepiece(size: int) -> Tokenizer:
    """As Llama 2 spells: a space marker before the text, bytes for letters that are not known."""
    letters = ["▁", "-", ">", "<", "&", *ascii_lowercase]
    words = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *letters]
    merges = list(islice(_merges(["▁", *ascii_lowercase], ascii_lowercase), size - len(words)))
    words += list(dict.fromkeys("".join(pair) for pair in merges))
    ids = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(models.BPE(ids, merges, unk_token="<unk>", byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    return tokenizer


def _wordpiece(size: int) -> Tokenizer:
    """As BERT spells: no case, no accents, no spaces; letters it does not know are [UNK]."""
    words = ["[UNK]", "-", ">", "<", "&", '"', *ascii_lowercase, "1", "2"]
    words += [f"##{letter}" for letter in (*ascii_lowercase, "1", "2")]
    longer = ("".join(letters) for n in (2, 3, 4) for letters in product(ascii_lowercase, repeat=n))
    words += list(islice(longer, size - len(words)))
    ids = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def _merges(firsts: Sequence[str], letters: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs that make all words over some letters, the shorter ones first."""
    made = list(firsts)
    while True:
        pairs = [(word, letter) for word in made for letter in letters]
        yield from pairs
        made = list(dict.fromkeys("".join(pair) for pair in pairs))


_MADE = {
    "bytes": _bytes,
    "merging": lambda size: _bytes(size, merging=True),
    "sentencepiece": _sentencepiece,
    "wordpiece": _wordpiece,
}
