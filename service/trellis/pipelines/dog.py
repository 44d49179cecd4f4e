"""DoG: decoding on graphs by well-formed chains of triples.

Source: "Decoding on Graphs", section 2. The triples of the question's nodes are a first subgraph; a
model writes chains inside it, triple by triple, and the subgraph grows as they do; the relations of
the chains are run in the database with the answer free; a reasoner answers from what they reach.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trellis.domain.models.card import Calibration
from trellis.domain.models.decoding import Search
from trellis.domain.ports import Embedder, Graph, LanguageModel, Reasoner
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.pipelines.path_reply import PathReply
from trellis.pipelines.path_witness import PathWitness
from trellis.pipelines.record import Record
from trellis.steps.align.general_words import choose_wording, choose_words
from trellis.steps.link.link import link_question
from trellis.steps.link.nearest import find_nearest_names
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.chains.chain_prompt import ChainPrompt
from trellis.steps.retrieve.chains.grow_chains import ChainGrowth
from trellis.steps.retrieve.chains.retrieve_chains import retrieve_chains
from trellis.steps.retrieve.chains.search_chains import search_chains
from trellis.steps.retrieve.chains.settings import ChainSettings


@dataclass(frozen=True)
class Dog:
    """Answers a question by chains; `answer_limit`: the most nodes that one chain may reach."""

    graph: Graph
    model: LanguageModel
    settings: ChainSettings
    calibration: Calibration = field(default_factory=Calibration)
    embedder: Embedder | None = None
    reasoner: Reasoner | None = None
    search: Search = field(default_factory=Search)
    edge_budget: int = 200_000
    answer_limit: int = 1_000
    witness: PathWitness | None = None
    name: str = "dog"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:
        record, settings = Record(question, self.name), self.settings
        wording, notes = settings.wording, record.notes
        with record.time_step("link"):
            said = await choose_wording(settings, self.graph)
            record.mentions = await link_question(question, self.graph, self.embedder, said)
            form = QuestionForm(question.text, record.mentions, await self.graph.schema(), wording)
        watch(Event("links", record.mentions))
        if not record.mentions:
            alike = await find_nearest_names(question.text, self.graph, wording)
            return record.abstain("nothing in the question was found in the graph", alike)
        if self.witness and (none := await self.witness.find_none(record, form)):
            return none
        growth = ChainGrowth(self.graph, form.text, self.edge_budget, settings, notes)
        with record.time_step("retrieve"):
            chains = await retrieve_chains(growth, record.mentions)
        if chains.is_empty():
            return record.abstain("nothing that was found has a relationship")
        with record.time_step("decode"):
            prompt = ChainPrompt(form, settings)
            written = await search_chains(self.model, prompt, chains, growth, self.search, watch)
        if not written:
            return record.abstain(
                f"no whole chain was written within {self.search.max_tokens} tokens"
            )
        ending = PathReply(
            self.graph,
            self.embedder,
            self.reasoner,
            self.calibration,
            settings.revisit,
            await choose_words(settings, self.graph),
            self.answer_limit,
            settings.prefers_simple,
        )
        return await ending.conclude(record, form, written, watch)
