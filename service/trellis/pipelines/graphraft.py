"""GraphRAFT: queries decoded inside the grounded Cypher language.

Source: "GraphRAFT", sections on constrained decoding and ranking. The question's literals are
linked to stored values; a model writes the K most probable queries that the live schema and these
values allow; those that pass the gate are run; their rows decide which of them answers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trellis.domain.card import Calibration
from trellis.domain.cypher import Most
from trellis.domain.decoding import Search
from trellis.domain.events import Event, Watch, unwatched
from trellis.domain.ports import Graph, LanguageModel, Queries, Reasoner
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.pipelines.record import Record, said_values, tried_queries
from trellis.steps.queries.judge_query import judged
from trellis.steps.queries.query_confidence import query_signs
from trellis.steps.queries.query_evidence import query_evidence
from trellis.steps.queries.query_prompt import query_prompt
from trellis.steps.queries.rank_answers import rank_answers
from trellis.steps.queries.rank_queries import best_query, weighed
from trellis.steps.queries.reason_rows import reason_rows
from trellis.steps.queries.retrieve_queries import retrieve_queries, values_of
from trellis.steps.queries.run_queries import run_queries, wider
from trellis.steps.queries.settings import CypherSettings


@dataclass(frozen=True)
class GraphRaft:
    """Answers a question by a query.

    The `run_most` best candidates are run, for `row_limit` rows each; where these give nothing, all
    others are, and then, once, those of a wider search. `hops`: distance from the linked values
    within which a query may use only relationships that exist (0: those of the schema).
    """

    graph: Graph
    queries: Queries
    model: LanguageModel
    settings: CypherSettings
    calibration: Calibration = field(default_factory=Calibration)
    ranker: LanguageModel | None = None
    reasoner: Reasoner | None = None
    search: Search = field(default_factory=Search)
    run_most: int = 5
    row_limit: int = 1_000
    hops: int = 0
    name: str = "graphraft"

    async def answer(self, question: Question, watch: Watch = unwatched) -> Reply:
        record = Record(question, self.name)
        with record.step("link"):
            mentions = await values_of(question, self.graph)
            record.mentions = said_values(mentions)
        watch(Event("links", record.mentions))
        with record.step("retrieve"):
            language = await retrieve_queries(self.graph, mentions, self.settings, self.hops)
        if language.empty():
            return record.abstained("nothing can be asked of this graph with what was linked")
        prompt, chosen = query_prompt(question.text, mentions), None
        for search in (self.search, wider(self.search)):
            with record.step("decode"):
                [sentences] = await self.model.decode([prompt], [language], search)
                likely = weighed(sentences, mentions)
            with record.step("execute"):
                most = Most(rows=self.row_limit)
                runs = await run_queries(self.queries, likely, most, self.run_most)
            with record.step("rank"):
                ranking = await rank_answers(self.ranker, self.graph, question.text, mentions, runs)
                chosen = best_query(question.text, ranking.runs, self.calibration.temperature)
            if chosen and chosen.settled:
                break
        record.tried = tried_queries(likely, runs)
        record.notes += [f"{run.text.strip()}: {run.problem}" for run in runs if run.problem]
        watch(Event("candidates", record.tried))
        if chosen is None or chosen.run.rows is None:
            return record.abstained("no candidate query could be run")
        with record.step("reason"):
            schema = await self.graph.schema()
            evidence = await query_evidence(self.queries, chosen.run.query)
            record.signs = query_signs(question.text, mentions, chosen, schema)
            judgement = judged(
                chosen, chosen.run.rows, evidence, schema, self.calibration, record.signs
            )
            judgement = ranking.ordered(judgement, chosen.run.query)
            reasoned = await reason_rows(
                self.reasoner, self.graph, question.text, chosen.run.text, judgement, evidence
            )
        watch(Event("evidence", reasoned.evidence))
        return record.by_query(chosen.run, reasoned.judgement, reasoned.evidence)
