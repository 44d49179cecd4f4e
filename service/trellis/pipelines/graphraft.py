"""GraphRAFT: queries decoded inside the grounded Cypher language.

Source: "GraphRAFT", sections on constrained decoding and ranking. The question's literals are
linked to stored values; a model writes the K most probable queries that the live schema and these
values allow; what passes the gate is run; what came back decides which of them answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from trellis.domain.cypher import Most, nodes_in
from trellis.domain.events import Event, Watch, unwatched
from trellis.domain.ports import Graph, Judgement, LanguageModel, Queries, Reasoner, Search
from trellis.domain.values import Answer, Node, Question, Reply, Tried, Walk
from trellis.pipelines.record import Record
from trellis.steps.prompt import query_prompt
from trellis.steps.query_evidence import query_evidence
from trellis.steps.rank_answers import rank_answers
from trellis.steps.rank_queries import answers_of, best_query, number_of, weighed
from trellis.steps.reason_rows import reason_rows
from trellis.steps.retrieve_queries import retrieve_queries, values_of
from trellis.steps.run_queries import QueryRun, run_queries


@dataclass(frozen=True)
class GraphRaft:
    """Answers a question by a query; at most `run_most` are run, for `row_limit` rows each."""

    graph: Graph
    queries: Queries
    model: LanguageModel
    ranker: LanguageModel | None = None
    reasoner: Reasoner | None = None
    search: Search = field(default_factory=Search)
    run_most: int = 5
    row_limit: int = 1_000
    name: str = "graphraft"

    async def answer(self, question: Question, watch: Watch = unwatched) -> Reply:
        record, card = Record(question, self.name), self.model.card
        with record.step("link"):
            mentions = await values_of(question, self.graph)
        with record.step("retrieve"):
            language = await retrieve_queries(self.graph, mentions, card)
        if language.empty():
            return record.abstained("nothing can be asked of this graph with what was linked")
        with record.step("decode"):
            prompt = query_prompt(question.text, mentions)
            [sentences] = await self.model.decode([prompt], [language], self.search)
        with record.step("execute"):
            likely = weighed(sentences, mentions)[: self.run_most]
            runs = await run_queries(self.queries, likely, Most(rows=self.row_limit))
        record.tried = [_tried(run) for run in runs]
        record.notes += [f"{run.text.strip()}: {run.problem}" for run in runs if run.problem]
        watch(Event("candidates", record.tried))
        with record.step("rank"):
            ranking = await rank_answers(self.ranker, self.graph, question.text, mentions, runs)
            chosen = best_query(question.text, ranking.runs)
        if chosen is None or chosen.run.rows is None:
            return record.abstained("no candidate query could be run")
        with record.step("reason"):
            evidence = await query_evidence(self.queries, chosen.run.query)
            found = answers_of(chosen.run.rows, await self.graph.schema(), None)
            sure = chosen.belief if chosen.belief >= card.abstain_below else 0.0
            found = ranking.ordered(found, chosen.run.query)
            told = _answers(found, chosen.belief, evidence) if sure else ()
            reasoned = await reason_rows(
                self.reasoner,
                self.graph,
                question.text,
                chosen.run.text,
                Judgement(told, chosen.belief),
                evidence,
            )
        watch(Event("evidence", reasoned.evidence))
        if chosen.run.rows.cut:
            record.notes.append(f"the rows were cut at {chosen.run.rows.cut}")
        return replace(
            record.reply(reasoned.judgement, reasoned.evidence),
            cypher=chosen.run.query.text,
            params=chosen.run.query.params,
            rows=chosen.run.rows,
            plan=chosen.run.plan,
            count=number_of(chosen.run.rows),
        )


def _answers(found: Sequence[Node], belief: float, evidence: Sequence[Walk]) -> tuple[Answer, ...]:
    """A node is shown by the relationships that it is in, a value by all of them."""
    rows: dict[str, list[int]] = {}
    for row, walk in enumerate(evidence):
        for node in walk.nodes:
            rows.setdefault(node.id, []).append(row)
    every = tuple(range(len(evidence)))
    return tuple(Answer(node, belief, tuple(rows.get(node.id, every))) for node in found)


def _tried(run: QueryRun) -> Tried:
    """A candidate as it is told of: how many rows it gave, and the first nodes in them."""
    given = run.rows.rows if run.rows else ()
    found = tuple(dict.fromkeys(node for row in given for cell in row for node in nodes_in(cell)))
    return Tried(run.text, run.score, len(given) if run.rows else None, run.query, found[:20])
