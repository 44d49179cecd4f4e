"""The path witness: whether the graph has what a question asks for at all.

Inside the graph every method says the nearest thing where there is nothing. A model of paths says
what the question says in the language of the schema too; where that is not in the graph and
explains the question better than all that is, any method answers that there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.automata.paths.walks import Walks
from trellis.domain.graphs.links import Mention
from trellis.domain.limits.sharing import do_once
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.ports import Embedder, Graph, LanguageModel
from trellis.domain.replies.reply import Reply
from trellis.pipelines.record import Record, collect_outcomes
from trellis.steps.align.absent_paths import (
    LEAST_ADVANTAGE,
    AbsentPath,
    bind_anchors,
    find_absent_path,
    measure_advantage,
)
from trellis.steps.align.unsaid_operators import explain_unsaid_by_relations
from trellis.steps.ground.ground_paths import ground_paths
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.paths.path_prompt import build_path_prompt
from trellis.steps.retrieve.paths.retrieve_trie import retrieve_trie
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.paths.wider_paths import widen_trie


@dataclass(frozen=True, slots=True)
class PathWitness:
    """Asks a model of paths for what is absent; methods that are asked side by side share it."""

    graph: Graph
    model: LanguageModel
    settings: PathSettings
    embedder: Embedder | None
    search: Search
    edge_budget: int

    async def find_none(self, record: Record, form: QuestionForm) -> Reply | None:
        """The reply that there is none of what the question asks for; None where there may be."""
        if not self._can_tell():
            return None
        with record.time_step("witness"):
            trie = await self.retrieve_trie(form.mentions)
            written = await self.write_paths(form, trie)
        return await self.find_none_beside(record, form, trie, written)

    async def find_none_beside(
        self, record: Record, form: QuestionForm, trie: Walks, written: Sequence[Sentence]
    ) -> Reply | None:
        """As `find_none`, where the sentences of the trie are written already."""
        if not self._can_tell():
            return None
        key = ("absent path", form.text, tuple(form.mentions))
        with record.time_step("witness"):
            absent = await do_once(key, lambda: self._find_absent(form, trie, written))
        if absent is None:
            return None
        sentence = bind_anchors(absent.sentence, form.mentions)
        with record.time_step("ground"):
            findings = await ground_paths(self.graph, [sentence], self.settings.revisit, 1)
        [outcome] = collect_outcomes([sentence], findings, form.mentions)
        if outcome.answer_count or explain_unsaid_by_relations(form, outcome.reading):
            return None
        return record.claim_none(outcome, absent.probability)

    async def retrieve_trie(self, mentions: Sequence[Mention]) -> Walks:
        """The KG-Trie of the mentions."""
        return await do_once(
            ("trie", tuple(mentions)),
            lambda: retrieve_trie(self.graph, mentions, self.settings, self.edge_budget),
        )

    async def write_paths(self, form: QuestionForm, trie: Walks) -> Sequence[Sentence]:
        """The paths of the trie that the model writes, most probable first."""
        key = ("paths", form.text, tuple(form.mentions))
        return await do_once(key, lambda: self._decode(form, trie))

    def _can_tell(self) -> bool:
        """Whether the model has learnt how its relations are said in questions."""
        return bool(self.settings.words) and self.settings.rendering == "relations"

    async def _find_absent(
        self, form: QuestionForm, trie: Walks, written: Sequence[Sentence]
    ) -> AbsentPath | None:
        """What the question asks for and the trie has not. Paths know nothing of values; and the
        wider language is searched only where a step that the trie lacks could explain the question
        better."""
        if form.asks_value:
            return None
        wide = widen_trie(form.schema, form.mentions, self.settings)
        asked = form.masked, self.settings.words, self.embedder
        if await measure_advantage(trie, wide, written, *asked) < LEAST_ADVANTAGE:
            return None
        wished = await self._decode(form, wide)
        return await find_absent_path(trie, written, wished, *asked)

    async def _decode(self, form: QuestionForm, language: Walks) -> Sequence[Sentence]:
        prompt = build_path_prompt(form.text, form.mentions)
        [sentences] = await self.model.decode([prompt], [language], self.search)
        return sentences
