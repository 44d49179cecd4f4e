"""Teaches a cross-encoder which of the retrieved nodes are right: `trellis train --task rank`.

Source: "Learning to Rank: From Pairwise Approach to Listwise Approach" (Cao et al. 2007): the
cross-entropy between which nodes are right and the softmax of the logits of a question's nodes.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from sentence_transformers.cross_encoder.losses import ListNetLoss

from trellis.domain.errors import TrainingError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.texts import IndexedTexts
from trellis.domain.models.card import ModelCard
from trellis.engines.embeddings import MINILM, find_minilm_folder
from trellis.engines.sentence_models import load_sentence_model
from trellis.graph.database.progress import Progress
from trellis.linking.text import name_key
from trellis.models.folder import check_target, write_folder
from trellis.questions.row import QuestionRow
from trellis.steps.align.described_fit import find_described_labels
from trellis.steps.conclude.rank_described import MOST_READ, add_logit
from trellis.steps.describe.describe_texts import describe_texts
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.values.link_wide import link_wide_values
from trellis.steps.retrieve.described.described_nodes import drop_texts, retrieve_described
from trellis.steps.retrieve.described.settings import TextRankSettings
from trellis.training.language_models.loop import use_one_thread
from trellis.training.means import TrainingContext
from trellis.training.options import RUN, TrainingOptions, TrainingOutcome

_RETRIEVED = 30  # nodes of a question
_TOKENS = 192  # of question and text
_RIGHT, _SHOWN = 3, 10  # right nodes, and nodes, of a question in one step
_AT_ONCE = 16  # texts
_EPOCHS, _RATE = 4, 5e-5
_HELD = 10  # one question of so many is kept apart
_FEWEST = 5  # questions that can be learnt from


@dataclass(frozen=True, slots=True)
class RankingList:
    """A question, and what was retrieved for it, best first: the texts that a ranker reads, whether
    each is right, and the scores of the search."""

    question: str
    texts: tuple[str, ...]
    rights: tuple[bool, ...]
    scores: tuple[float, ...]

    def find_rank(self, logits: Sequence[float] = ()) -> int | None:
        """The rank of the first right node, from 1; `logits`: of the first texts, by a ranker."""
        added = [add_logit(s, logit) for s, logit in zip(self.scores, logits, strict=False)]
        scores = [*added, *self.scores[len(added) :]]
        order = sorted(range(len(scores)), key=lambda row: -scores[row])
        return next((rank for rank, row in enumerate(order, 1) if self.rights[row]), None)


async def make_ranking_lists(
    means: TrainingContext, rows: Sequence[QuestionRow], texts: IndexedTexts
) -> list[RankingList]:
    """A list for each question with answers for which anything is retrieved."""
    lists = []
    for number, row in enumerate(rows, 1):
        made = await _make_list(means, row, texts) if row.known_answers else None
        lists += [made] if made else []
        means.report("questions", number, len(rows), f"{len(lists)} retrieve nodes with texts")
    return lists


async def _make_list(
    means: TrainingContext, row: QuestionRow, texts: IndexedTexts
) -> RankingList | None:
    """What the question retrieves, as in answering; None where that is nothing."""
    linked = await link_wide_values(row.question, means.graph, means.embedder)
    mentions = drop_texts(linked, texts.kinds)
    form = QuestionForm(row.question, mentions, await means.graph.schema())
    asked = find_described_labels(form, texts.labels)
    description = await retrieve_described(form, texts, means.graph, means.embedder, asked)
    nodes = description.keep_labels(asked).nodes[:_RETRIEVED]
    if not nodes:
        return None
    right = set(map(name_key, row.known_answers))
    return RankingList(
        row.question,
        tuple(await describe_texts(means.graph, nodes)),
        tuple(name_key(each.match.node.name) in right for each in nodes),
        tuple(each.score for each in nodes),
    )


@dataclass(frozen=True, slots=True)
class RankingFigures:
    """How often the first node is right, and the mean of one over the rank of the first right
    one."""

    hit1: float
    mrr: float


async def train_text_ranker(
    rows: Sequence[QuestionRow], means: TrainingContext, options: TrainingOptions
) -> TrainingOutcome:
    """Train a cross-encoder by questions that describe nodes, and leave it at `options.out`.

    It is kept whether it is better on the questions kept apart or not; the figures tell. Raises
    InputError for a folder of other files, TrainingError where too few questions retrieve a right
    node, ModelMissingError or UnsafeModelError for a base that cannot be loaded.
    """
    began = time.monotonic()
    check_target(options.out, RUN)
    lists = await make_ranking_lists(means, rows, await means.graph.indexed_texts())
    held, taught = _keep_lists_apart(lists, options.seed)
    if len(taught) < _FEWEST:
        raise TrainingError(
            f"{len(taught)} of {len(rows)} questions retrieve a right node beside wrong ones",
            f"give {_FEWEST} or more that describe nodes, with the nodes' names as `answers`; or "
            "`cypher`, for a model that judges the answers of queries",
        )
    model, loss = await asyncio.to_thread(_train_model, taught, means.report, options)
    before = measure_lists(held)
    after = measure_lists(held, await asyncio.to_thread(_score_lists, model, held))
    figures: dict[str, Scalar] = {
        "questions": len(rows),
        "learnt_from": len(taught),
        "kept_apart": len(held),
        "hit1_before": round(before.hit1, 3),
        "hit1": round(after.hit1, 3),
        "mrr_before": round(before.mrr, 3),
        "mrr": round(after.mrr, 3),
        "is_better": after.mrr > before.mrr,
        "seed": options.seed,
        "loss": round(loss, 6),
    }
    card = ModelCard.of(options.base or MINILM, TextRankSettings())
    card = replace(card, training={TextRankSettings.task: figures})
    save = partial(model.save_pretrained, create_model_card=False)
    write_folder(options.out, card, lambda folder: save(str(folder)))
    return TrainingOutcome(card, len(taught), time.monotonic() - began)


def _keep_lists_apart(
    lists: Sequence[RankingList], seed: int
) -> tuple[list[RankingList], list[RankingList]]:
    """A tenth of the lists, to judge by, and those of the others that have right and wrong nodes,
    to learn from."""
    mixed = random.Random(seed).sample(list(lists), len(lists))
    count = -(-len(mixed) // _HELD)
    return mixed[:count], [each for each in mixed[count:] if len(set(each.rights)) > 1]


def measure_lists(
    lists: Sequence[RankingList], logits: Sequence[Sequence[float]] | None = None
) -> RankingFigures:
    """The figures of some lists; `logits`: by list, of its first texts."""
    scored = logits or [()] * len(lists)
    ranks = [each.find_rank(some) for each, some in zip(lists, scored, strict=True)]
    count = max(1, len(ranks))
    return RankingFigures(
        sum(rank == 1 for rank in ranks) / count, sum(1 / rank for rank in ranks if rank) / count
    )


def _train_model(
    lists: Sequence[RankingList], report: Progress, options: TrainingOptions
) -> tuple[Any, float]:
    """The trained model, and its mean loss in the last epoch; on one thread, so that equal seeds
    give equal models."""
    torch.manual_seed(options.seed)
    with use_one_thread():
        source = str(find_minilm_folder()) if options.base in (None, MINILM) else options.base
        model = load_sentence_model("CrossEncoder", str(source), options.device, num_labels=1)
        model.max_seq_length = min(_TOKENS, model.max_seq_length or _TOKENS)
        return model, _fit(model, lists, report, options)


def _fit(
    model: Any, lists: Sequence[RankingList], report: Progress, options: TrainingOptions
) -> float:
    """Train for all steps, a question each; the mean loss of the last epoch."""
    rate = options.tuning.rate or _RATE
    steps = options.steps or max(1, round((options.tuning.epochs or _EPOCHS) * len(lists)))
    listwise = ListNetLoss(model, mini_batch_size=_AT_ONCE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=rate, total_steps=steps + 1)
    choice, losses = random.Random(options.seed), list[float]()
    model.train()
    while len(losses) < steps:
        for each in choice.sample(list(lists), len(lists))[: steps - len(losses)]:
            rows = _choose_rows(each)
            labels = torch.tensor([float(each.rights[row]) for row in rows])
            value = listwise([[each.question], [[each.texts[row] for row in rows]]], [labels])
            optimizer.zero_grad()
            value.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(value.item())
            report("ranking steps", len(losses), steps, f"loss {losses[-1]:.3f}")
    model.eval()
    last = losses[-len(lists) :]
    return sum(last) / len(last)


def _choose_rows(each: RankingList) -> list[int]:
    """The rows of some right nodes, and of the wrong ones that the search puts first."""
    right = [row for row, is_right in enumerate(each.rights) if is_right][:_RIGHT]
    wrong = [row for row, is_right in enumerate(each.rights) if not is_right]
    return [*right, *wrong[: _SHOWN - len(right)]]


def _score_lists(model: Any, lists: Sequence[RankingList]) -> list[list[float]]:
    """The logits of the first texts of each list."""
    return [
        model.predict(
            [(each.question, text) for text in each.texts[:MOST_READ]],
            batch_size=_AT_ONCE,
            show_progress_bar=False,
            activation_fn=torch.nn.Identity(),
        ).tolist()
        for each in lists
    ]
