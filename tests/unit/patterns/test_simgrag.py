"""SimGRAG over a small graph: what is answered, on what evidence, and where it says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import memory_app
from memory_graph import MemoryGraph, TrigramEmbedder
from memory_grounding import GroundingQueries
from told_patterns import ToldPatterns
from trellis.app.listing import list_methods
from trellis.domain.errors import NotIndexedError, RefusedQueryError, UnknownTopicError
from trellis.domain.graphs.links import NearName
from trellis.domain.replies.events import Event, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.cypher import GATE_LIMITS, CypherQuery, QueryLimits, Rows
from trellis.domain.structures.patterns import PatternMatches, PatternSearch
from trellis.pipelines.simgrag import SimGrag
from trellis.settings import Settings
from trellis.steps.retrieve.patterns.settings import PatternSettings

TRIPLES = [
    ("Her", "directed_by", "Spike Jonze"),
    ("Her", "starred_actors", "Amy Adams"),
    ("Her", "starred_actors", "Joaquin Phoenix"),
    ("Walk the Line", "starred_actors", "Joaquin Phoenix"),
    ("Walk the Line", "directed_by", "James Mangold"),
    ("Arrival", "starred_actors", "Amy Adams"),
    ("Arrival", "directed_by", "Denis Villeneuve"),
    ("Spike Jonze", "spouse", "Sofia Coppola"),
    ("Sofia Coppola", "spouse", "Spike Jonze"),
    ("Amy Adams", "admires", "Amy Adams"),
]
DIRECTOR = "ENT1 -> directed_by -> ASKED"
CO_STAR = "ENT1 <- starred_actors <- UNKNOWN 1 -> starred_actors -> ASKED"
FREE = PatternSettings(
    most_triples=6, relations="free", kinds="free", free_tokens=12, needs_mention=False
)


async def ask(
    text: str,
    *patterns: str,
    graph: MemoryGraph | None = None,
    queries: GroundingQueries | None = None,
    settings: PatternSettings | None = None,
    topics: tuple[str, ...] | None = None,
    embedder: Any = TrigramEmbedder(),  # noqa: B008 it holds nothing
    watch: list[Event] | None = None,
    **more: Any,
) -> Reply:
    graph = graph or MemoryGraph.of(TRIPLES)
    settings = settings or PatternSettings()
    model = ToldPatterns(*patterns, settings=settings)
    gate = queries or GroundingQueries(graph)
    method = SimGrag(graph, gate, model, settings, embedder=embedder, **more)
    return await method.answer(
        Question(text, topics), ignore_event if watch is None else watch.append
    )


def names(reply: Reply) -> list[str]:
    return sorted(answer.node.name for answer in reply.answers)


async def test_a_pattern_gives_all_its_answers_with_the_facts_of_each() -> None:
    watch: list[Event] = []
    reply = await ask("Who acts in Her?", "ENT1 -> starred_actors -> ASKED", watch=watch)
    assert names(reply) == ["Amy Adams", "Joaquin Phoenix"]
    assert {(t.head.name, t.relation, t.tail.name) for t in reply.triples()} == {
        ("Her", "starred_actors", "Amy Adams"),
        ("Her", "starred_actors", "Joaquin Phoenix"),
    }
    assert [event.name for event in watch] == ["links", "candidates", "evidence"]
    assert reply.reading == "the actors that Her starred"
    assert reply.confidence == pytest.approx(0.6)
    assert reply.features["distance"] == 0.0
    assert [step.name for step in reply.steps] == [
        "link",
        "decode",
        "candidates",
        "search",
        "ground",
        "reason",
        "verify",
    ]


async def test_nodes_of_one_subgraph_are_different_nodes() -> None:
    reply = await ask("Who acts beside Amy Adams?", CO_STAR)
    assert names(reply) == ["Joaquin Phoenix"]
    assert reply.reading == "what starred Amy Adams as actors, and the actors that each starred"


async def test_two_mentions_meet_in_what_is_asked_for() -> None:
    reply = await ask(
        "Which film has both Amy Adams and Joaquin Phoenix?",
        "ENT1 <- starred_actors <- ASKED -> starred_actors -> ENT2",
    )
    assert names(reply) == ["Her"]
    assert len(reply.evidence[0].triples) == 2
    assert reply.reading.startswith("what starred both Amy Adams and ")


async def test_a_node_beside_the_walk_restricts_it() -> None:
    reply = await ask(
        "Who directed the film with Joaquin Phoenix that is not Her, as Amy Adams is in Her?",
        "ENT1 <- starred_actors <- UNKNOWN 1 -> directed_by -> ASKED ; "
        "UNKNOWN 1 -> starred_actors -> ENT2",
        topics=("Joaquin Phoenix", "Amy Adams"),
    )
    assert reply.held_back  # the question says not
    assert reply.candidates[0].reading == (
        "the answer, where A starred actors Joaquin Phoenix, A starred actors Amy Adams "
        "and A is directed by the answer"
    )


async def test_whether_an_unknown_node_may_be_a_mention_is_what_training_found() -> None:
    said = "ENT1 -> spouse -> UNKNOWN 1 -> spouse -> ASKED"
    simple = await ask("Who is the spouse of the spouse of Spike Jonze?", said)
    assert simple.abstained
    anyhow = await ask(
        "Who is the spouse of the spouse of Spike Jonze?",
        said,
        settings=PatternSettings(revisit="any"),
    )
    assert names(anyhow) == ["Spike Jonze"]
    loop = await ask(
        "Whom does Amy Adams admire?",
        "ENT1 -> admires -> ASKED",
        settings=PatternSettings(revisit="any"),
    )
    assert names(loop) == ["Amy Adams"]


async def test_a_relation_in_other_words_is_the_nearest_one_whichever_way_it_leads() -> None:
    reply = await ask("Who directs Her?", "ENT1 <- directed <- ASKED (director)", settings=FREE)
    assert names(reply) == ["Spike Jonze"]
    assert 0 < reply.features["distance"] < 1
    assert reply.confidence < 0.6
    assert any("at distance" in note for note in reply.notes)


async def test_where_nothing_else_is_found_a_relation_may_lead_the_other_way() -> None:
    reply = await ask("Who directed Her?", "ENT1 <- directed_by <- ASKED")
    assert (names(reply), reply.reading) == (["Spike Jonze"], "what Her is directed by")
    assert reply.confidence < (await ask("Who directed Her?", DIRECTOR)).confidence


async def test_probability_and_distance_are_weighed_together() -> None:
    far, near = "ENT1 -> starred by -> ASKED", "ENT1 -> directed_by -> ASKED"
    reply = await ask("Who made Her?", far, near, settings=FREE)
    assert names(reply)[0] == "Spike Jonze"
    assert reply.candidates[0].text.strip() == far  # it was written as the likelier one


async def test_where_no_subgraph_is_like_the_patterns_it_says_what_was_tried() -> None:
    reply = await ask("Who is the spouse of Her?", "ENT1 -> spouse -> ASKED", embedder=None)
    assert (reply.abstained, reply.answers, reply.confidence) == (True, (), 0.0)
    assert reply.notes == ("no subgraph of the graph is like: the spouse of Her",)
    assert reply.candidates[0].answer_count is None


async def test_where_nothing_was_linked_it_says_so() -> None:
    reply = await ask("Who directed zzzzz?", DIRECTOR)
    assert (reply.abstained, reply.mentions) == (True, ())
    assert reply.notes == ("nothing in the question was found in the graph",)
    assert not reply.candidates


async def test_a_pattern_without_a_mention_is_searched_where_the_model_may_write_one() -> None:
    said = "ASKED -> directed_by -> UNKNOWN 1"
    open_one = await ask("Which films were directed by anybody?", said, settings=FREE)
    assert names(open_one) == ["Arrival", "Her", "Walk the Line"]
    bound = await ask("Which films were directed as Her was?", said)
    assert bound.notes == ("no pattern was written that could be looked for",)


async def test_what_a_question_says_and_a_pattern_cannot_holds_the_answer_back() -> None:
    reply = await ask("Who acts in Her or in Arrival?", "ENT1 -> starred_actors -> ASKED")
    assert reply.held_back.startswith("the question says “or")
    assert (reply.abstained, reply.answers) == (True, ())


async def test_a_number_is_that_of_all_answers() -> None:
    reply = await ask("How many actors are in Her?", "ENT1 -> starred_actors -> ASKED")
    assert reply.count == 2


async def test_a_topic_that_is_not_there_is_an_error() -> None:
    with pytest.raises(UnknownTopicError, match="Nobody"):
        await ask("Who directed it?", DIRECTOR, topics=("Nobody",))


class HastyGraph(MemoryGraph):
    """A graph whose searches run out of time."""

    async def search_patterns(
        self, search: PatternSearch, limit: int, seconds: float
    ) -> PatternMatches:
        found = await super().search_patterns(search, limit, seconds)
        return replace(found, is_complete=False)


async def test_a_search_that_ran_out_of_time_is_told() -> None:
    reply = await ask("Who directed Her?", DIRECTOR, graph=HastyGraph.of(TRIPLES), seconds=1.5)
    assert names(reply) == ["Spike Jonze"]
    assert reply.notes == (
        "the search for subgraphs ended after 1.5 seconds: nearer ones may be left out",
    )


class NamelessGraph(MemoryGraph):
    """A graph without embeddings."""

    async def search_relations_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[NearName]]:
        raise NotIndexedError(f"{len(vectors)} vectors, but no embeddings", f"not even {limit}")


async def test_without_embeddings_names_are_found_and_other_words_are_told() -> None:
    graph = NamelessGraph.of(TRIPLES)
    by_words = await ask(
        "Who directed Her?", "ENT1 -> Directed By -> ASKED", settings=FREE, graph=graph
    )
    assert names(by_words) == ["Spike Jonze"]
    other = await ask("Who made Her?", "ENT1 -> film maker -> ASKED", settings=FREE, graph=graph)
    assert other.abstained
    assert other.notes[0].startswith("“film maker” is no name of the graph, and nothing near was")


class RefusingQueries(GroundingQueries):
    """A gate that refuses everything."""

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        raise RefusedQueryError(
            f"{query.text[:5]} would give more than {limits.rows} rows", "ask less"
        )


async def test_a_query_that_the_gate_refuses_is_told_and_nothing_is_claimed() -> None:
    graph = MemoryGraph.of(TRIPLES)
    reply = await ask("Who directed Her?", DIRECTOR, graph=graph, queries=RefusingQueries(graph))
    assert reply.abstained
    assert reply.candidates[0].problem == "MATCH would give more than 1000 rows"
    assert "MATCH would give more than 1000 rows" in reply.notes[0]


async def test_at_most_so_many_answers_are_taken_and_that_is_told() -> None:
    triples = [(f"Film {n}", "directed_by", "Kim") for n in range(30)]
    graph = MemoryGraph.of(triples)
    reply = await ask(
        "What did Kim direct?", "ENT1 <- directed_by <- ASKED", graph=graph, answer_limit=20
    )
    assert len(reply.answers) == 20
    assert "grounding stopped at 20 rows" in reply.notes[0]


async def test_where_no_method_is_named_it_answers_if_no_other_knows_better(tmp_path: Path) -> None:
    class Patterns(ToldPatterns):
        def __init__(self) -> None:
            super().__init__("ENT1 -> HAS_CAPITAL -> ASKED")

    settings = Settings(store_url=f"sqlite+aiosqlite:///{tmp_path}/s.db", _env_file=None)
    words, graph = memory_app.WordModel, memory_app.MemoryGraph()
    async with memory_app.opener(graph, Patterns, words)(settings) as trellis_app:
        reply = await trellis_app.answer(trellis_app.make_question("What is Paris to France?"))
    assert reply.choice
    assert [each.method for each in reply.choice.opinions] == ["gcr", "simgrag"]
    async with memory_app.opener(graph, Patterns)(settings) as trellis_app:
        reply = await trellis_app.answer(
            trellis_app.make_question("What is the capital of France?")
        )
        listed = {one.name: one for one in await list_methods(trellis_app)}
        task_input = await trellis_app.pipelines.build_task_input(Question(reply.question), reply)
    assert (reply.method, names(reply)) == ("simgrag", ["Paris"])
    assert listed["simgrag"].ready
    assert not listed["gcr"].ready
    assert task_input is not None
    assert task_input.prompt.render().endswith("Pattern:")
