"""The network that scores moves.

A question is read once (`read_questions`), the moves of a schema once (`read_moves`), what was said
so far by a small causal decoder. A move's logit is how well it fits what the decoder expects, and
how well its words match what stands in the question where the decoder looks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional

from trellis.models.reader.encoder import EncoderShape, TokenEncoder, split_heads
from trellis.models.reader.turning import TurnNetwork

FEATURES = 6
"""Features of a move and a word of the question: whether one of the move's words is the same, has
its stem, begins alike; and the same of its context."""


@dataclass(frozen=True, slots=True)
class ReaderShape:
    """The network's sizes. `matches`: how many ways there are for moves to match words."""

    width: int = 192
    layers: int = 3
    heads: int = 6
    matches: int = 6
    kinds: int = 32
    places: int = 96
    dropout: float = 0.1
    encoder: EncoderShape = field(default_factory=EncoderShape)


@dataclass(frozen=True)
class QuestionRows:
    """Questions as they were read: `rows` [batch, tokens, width], `seen` [batch, tokens]."""

    rows: Tensor
    seen: Tensor


@dataclass(frozen=True)
class MatchedMoves:
    """Moves beside a question: `rows` [batch, moves, width], `matches` [batch, matches, moves,
    tokens], and `looks` [batch, moves, width], what stands in the question where each matches."""

    rows: Tensor
    matches: Tensor
    looks: Tensor

    def join_moves(self, others: MatchedMoves) -> MatchedMoves:
        """These moves and, behind them, others."""
        return MatchedMoves(
            torch.cat((self.rows, others.rows), 1),
            torch.cat((self.matches, others.matches), 2),
            torch.cat((self.looks, others.looks), 1),
        )

    def expand_batch(self, count: int) -> MatchedMoves:
        """The moves of one question, beside it so many times."""
        return MatchedMoves(
            self.rows.expand(count, -1, -1),
            self.matches.expand(count, -1, -1, -1),
            self.looks.expand(count, -1, -1),
        )


class DecoderLayer(nn.Module):
    """Attention to what was said, to the question, and a feed-forward network."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.said = nn.Linear(width, 3 * width)
        self.said_out = nn.Linear(width, width)
        self.ask = nn.Linear(width, width)
        self.read = nn.Linear(width, 2 * width)
        self.read_out = nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows: Tensor, questions: QuestionRows) -> Tensor:
        """Rows [batch, steps, width], each of which sees those before it."""
        parts = self.said(self.norms[0](rows)).chunk(3, -1)
        query, key, value = (split_heads(part, self.heads) for part in parts)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        rows = rows + self.dropout(self.said_out(self._join(mixed)))
        query = split_heads(self.ask(self.norms[1](rows)), self.heads)
        parts = _map_rows(self.read, questions.rows).chunk(2, -1)
        key, value = (split_heads(part, self.heads) for part in parts)
        mask = questions.seen[:, None, None, :]
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        rows = rows + self.dropout(self.read_out(self._join(mixed)))
        inner = functional.gelu(self.up(self.norms[2](rows)))
        behind: Tensor = rows + self.dropout(self.down(inner))
        return behind

    def _join(self, heads: Tensor) -> Tensor:
        return heads.transpose(1, 2).flatten(2)


class ReaderNetwork(nn.Module):
    """Scores moves."""

    def __init__(self, shape: ReaderShape) -> None:
        super().__init__()
        self.shape = shape
        width, base = shape.width, shape.encoder.width
        self.encoder = TokenEncoder(shape.encoder)
        self.question = nn.Linear(base, width)
        self.question_layer = nn.TransformerEncoderLayer(
            width, shape.heads, 2 * width, shape.dropout, "gelu", batch_first=True, norm_first=True
        )
        self.question_norm = nn.LayerNorm(width)
        self.words, self.context = nn.Linear(base, width), nn.Linear(base, width)
        self.kinds, self.directions = nn.Embedding(shape.kinds, width), nn.Embedding(3, width)
        self.move = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
        )
        self.move_norm = nn.LayerNorm(width)
        self.match_move = nn.Linear(width, width)
        self.match_word = nn.Linear(width, width)
        self.match_features = nn.Parameter(torch.zeros(FEATURES, shape.matches))
        self.begin = nn.Parameter(torch.zeros(2, width))
        self.look = nn.Linear(width, width)
        self.places = nn.Embedding(shape.places, width)
        self.layers = nn.ModuleList(
            DecoderLayer(width, shape.heads, shape.dropout) for _ in range(shape.layers)
        )
        self.norm = nn.LayerNorm(width)
        self.point = nn.Linear(width, width)
        self.pointed = nn.Linear(width, width)
        self.expect = nn.Linear(width, width)
        self.weigh = nn.Linear(width, shape.matches)
        self.bias = nn.Parameter(torch.zeros(width))
        self.turn = TurnNetwork(base, width)

    def read_question_vectors(self, vectors: Tensor, seen: Tensor) -> QuestionRows:
        """Questions by the encoder's vectors of their tokens [batch, tokens, base]."""
        rows = self.question(vectors)
        rows = self.question_layer(rows, src_key_padding_mask=~seen)
        return QuestionRows(self.question_norm(rows), seen)

    def read_texts(self, ids: Tensor, seen: Tensor) -> Tensor:
        """Texts by their token ids, to the means of their tokens [texts, base]."""
        rows = self.encoder(ids, seen)
        weights = seen[..., None].to(rows.dtype)
        means: Tensor = (rows * weights).sum(1) / weights.sum(1).clamp(min=1)
        return means

    def read_moves(self, words: Tensor, context: Tensor, kinds: Tensor, turns: Tensor) -> Tensor:
        """Moves [moves, width] by the vectors of their words and contexts, kinds and directions."""
        rows = self.words(words) + self.context(context)
        rows = rows + self.kinds(kinds) + self.directions(turns)
        moves: Tensor = self.move_norm(rows + self.move(rows))
        return moves

    def match_moves(self, moves: Tensor, questions: QuestionRows, features: Tensor) -> MatchedMoves:
        """Moves [batch, moves, width] beside questions; `features` [batch, moves, tokens, 6]."""
        left = split_heads(self.match_move(moves), self.shape.matches)
        right = split_heads(self.match_word(questions.rows), self.shape.matches)
        scale = (self.shape.width // self.shape.matches) ** -0.5
        matches = left @ right.transpose(-1, -2) * scale
        for number, weights in enumerate(self.match_features):
            # one by one: the gradient of a product of six by six would sum millions of rows in turn
            matches = matches + features[..., number][:, None] * weights[:, None, None]
        hidden = ~questions.seen[:, None, None, :]
        share = matches.mean(1).masked_fill(hidden[:, 0], -1e4).softmax(-1)
        return MatchedMoves(moves, matches, self.look(share @ questions.rows))

    def decode_steps(self, said: Tensor, questions: QuestionRows, task: Tensor) -> Tensor:
        """What is expected behind each move: `said` [batch, steps, width] are the moves' rows with
        their looks added; the result [batch, 1 + steps, width] begins behind none."""
        first = self.begin[task][:, None]
        rows = torch.cat((first, said), 1)
        places = torch.arange(rows.shape[1], device=rows.device).clamp(max=self.shape.places - 1)
        rows = rows + self.places(places)
        for layer in self.layers:
            rows = layer(rows, questions)
        expected: Tensor = self.norm(rows)
        return expected

    def score_moves(self, expected: Tensor, questions: QuestionRows, moves: MatchedMoves) -> Tensor:
        """The logits [batch, steps, moves]."""
        query = split_heads(self.point(expected), self.shape.matches)
        key = split_heads(_map_rows(self.pointed, questions.rows), self.shape.matches)
        scale = (self.shape.width // self.shape.matches) ** -0.5
        looks = query @ key.transpose(-1, -2) * scale
        looks = looks.masked_fill(~questions.seen[:, None, None, :], -1e4).softmax(-1)
        weights = self.weigh(expected).transpose(1, 2)[..., None]
        pointing = ((looks @ moves.matches.transpose(-1, -2)) * weights).sum(1)
        meaning = self.expect(expected) @ moves.rows.transpose(-1, -2) * self.shape.width**-0.5
        logits: Tensor = pointing + meaning + (moves.rows @ self.bias)[:, None]
        return logits


def _map_rows(layer: nn.Linear, rows: Tensor) -> Tensor:
    """A layer over rows [batch, tokens, width]; once where one question stands for the batch."""
    if len(rows) > 1 and rows.stride(0) == 0:
        once: Tensor = layer(rows[:1])
        return once.expand(len(rows), -1, -1)
    each: Tensor = layer(rows)
    return each


def compare_words(words: Tensor, context: Tensor, asked: Tensor) -> Tensor:
    """The features [batch, moves, tokens, 6]: `words`, `context` [batch, moves, words, 3] and the
    questions' [batch, tokens, 3]."""
    found = []
    for own in (words, context):
        for sort in range(3):
            left, right = own[..., sort], asked[..., sort]
            same = left[:, :, None, :] == right[:, None, :, None]
            found.append((same & (left != 0)[:, :, None, :]).any(-1))
    return torch.stack(found, -1)
