"""Lists to rank: the nodes that are retrieved for a question, and which of them are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.domain.texts import IndexedTexts
from trellis.linking.text import name_key
from trellis.questions.row import QuestionRow
from trellis.steps.align.described_fit import find_described_labels
from trellis.steps.conclude.rank_described import add_logit
from trellis.steps.describe.describe_texts import describe_texts
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.values.link_wide import link_wide_values
from trellis.steps.retrieve.described.described_nodes import drop_texts, retrieve_described
from trellis.training.means import TrainingContext

_RETRIEVED = 30  # nodes of a question


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
