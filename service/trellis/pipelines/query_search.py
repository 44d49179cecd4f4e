"""Query search: queries decoded, weighed, run and ranked; once more, and wider, where nothing is
settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from trellis.automata.cypher.language import CypherLanguage
from trellis.domain.models.card import Calibration
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries
from trellis.domain.structures.cypher import QueryLimits
from trellis.pipelines.record import Record, collect_query_outcomes
from trellis.steps.align.queries.aligned_readings import AlignedQueries, weigh_by_reading
from trellis.steps.align.queries.answer_kinds import reweigh_kinds
from trellis.steps.align.queries.held_in_time import hold_in_time
from trellis.steps.align.queries.turned_verbs import turn_verbs
from trellis.steps.align.token_alignment import Alignment, describe_alignment
from trellis.steps.conclude.queries.rank_queries import QueryChoice, choose_query
from trellis.steps.conclude.rank_answers import Ranking, rank_answers
from trellis.steps.ground.queries.run_queries import run_queries, widen_search
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.queries.query_prompt import build_query_prompt
from trellis.steps.retrieve.queries.settings import CypherSettings


@dataclass(frozen=True, slots=True)
class FoundQueries:
    """The queries that were run, ranked, and the one that is believed, if any. `alignments`: how
    the readings of queries align with the question, by their sentences, where that was measured."""

    ranking: Ranking
    chosen: QueryChoice | None
    alignments: Mapping[str, Alignment]

    def describe_alignment(self) -> dict[str, float]:
        """How the reading of the believed query aligns with the question, as features."""
        aligned = self.alignments.get(self.chosen.run.text) if self.chosen else None
        return describe_alignment(aligned) if aligned else {}


@dataclass(frozen=True)
class QuerySearch:
    """Finds the queries that may answer a question; the fields are those of `GraphRaft`."""

    graph: Graph
    queries: Queries
    model: LanguageModel
    settings: CypherSettings
    calibration: Calibration
    ranker: LanguageModel | None
    embedder: Embedder | None
    search: Search
    run_limit: int
    row_limit: int
    is_general: bool

    async def find_queries(
        self, record: Record, form: QuestionForm, language: CypherLanguage
    ) -> FoundQueries:
        """The queries that were run, ranked, and the one that is believed, if any."""
        prompt = build_query_prompt(form.text, form.mentions)
        for search in (self.search, widen_search(self.search)):
            with record.time_step("decode"):
                [decoded] = await self.model.decode([prompt], [language], search)
                turned = turn_verbs(form, decoded, language)
                weighed = await self._weigh_queries(form, prompt, turned, language)
            with record.time_step("execute"):
                most = QueryLimits(rows=self.row_limit)
                runs = await run_queries(self.queries, weighed.sentences, most, self.run_limit)
            with record.time_step("rank"):
                ranking = await rank_answers(self.ranker, self.graph, form, runs)
                chosen = choose_query(form, ranking.runs, self.calibration.temperature)
            if chosen and chosen.is_settled:
                break
        record.candidates = collect_query_outcomes(weighed.sentences, runs, language.known)
        record.notes += [f"{run.text.strip()}: {run.problem}" for run in runs if run.problem]
        return FoundQueries(ranking, chosen, weighed.alignments)

    async def _weigh_queries(
        self,
        form: QuestionForm,
        prompt: Prompt,
        written: Sequence[Sentence],
        language: CypherLanguage,
    ) -> AlignedQueries:
        """The queries of a model that was trained for the graph, as they give what is asked for;
        those of a general model as their readings align with the question, if there is an embedder.
        """
        held = hold_in_time(form, written, language, date.today())
        if not self.is_general:
            return AlignedQueries(reweigh_kinds(form, held), {})
        if self.embedder is None:
            return AlignedQueries(held, {})
        aligned = await weigh_by_reading(prompt.question, held, language.known, self.embedder)
        return replace(aligned, sentences=reweigh_kinds(form, aligned.sentences))
