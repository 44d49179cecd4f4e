"""STEM over a small graph: what is answered, on what evidence, and where it says nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import memory_app
from memory_graph import MemoryGraph, TrigramEmbedder
from memory_grounding import GroundingQueries
from told_patterns import ToldPatterns
from told_traces import ToldGuide, ToldTraces
from trellis.domain.replies.events import Event, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.decompositions import Assertion, Decomposition
from trellis.pipelines.stem import Stem
from trellis.settings import Settings
from trellis.steps.retrieve.schema_graphs.settings import SchemaGraphSettings

TRIPLES = [
    ("Her", "directed_by", "Spike Jonze"),
    ("Her", "written_by", "Spike Jonze"),
    ("Her", "starred_actors", "Amy Adams"),
    ("Her", "starred_actors", "Joaquin Phoenix"),
    ("Walk the Line", "starred_actors", "Joaquin Phoenix"),
    ("Walk the Line", "directed_by", "James Mangold"),
    ("Arrival", "starred_actors", "Amy Adams"),
    ("Arrival", "directed_by", "Denis Villeneuve"),
    ("Spike Jonze", "spouse", "Sofia Coppola"),
]
DIRECTED = '"ENT1" was directed by [ENT1] ? [ENT1] precision'
DIRECTOR = '"ENT1" -> directed_by -> [ENT1]'
BESIDE = '[ENT1] stars "ENT1" ; [ENT1] stars [ENT2] ? [ENT2] breadth'
CO_STAR = '[ENT1] -> starred_actors -> "ENT1" ; [ENT1] -> starred_actors -> [ENT2]'
BOTH = '[ENT1] stars "ENT1" ; [ENT1] stars "ENT2" ? [ENT1] precision'
IN_BOTH = '[ENT1] -> starred_actors -> "ENT1" ; [ENT1] -> starred_actors -> "ENT2"'
STEPS = ["link", "decompose", "build", "guide", "trace", "ground", "reason", "verify"]


async def ask(
    text: str,
    *sentences: str,
    graph: MemoryGraph | None = None,
    guide: ToldGuide | None = None,
    schema_graphs: SchemaGraphSettings | None = None,
    watch: list[Event] | None = None,
    sure: float = 0.9,
) -> Reply:
    graph = graph or MemoryGraph.of(TRIPLES)
    model = ToldTraces(*sentences, schema_graphs=schema_graphs, sure=sure)
    method = Stem(graph, GroundingQueries(graph), TrigramEmbedder(), model, model, guide)
    return await method.answer(Question(text), ignore_event if watch is None else watch.append)


def names(reply: Reply) -> list[str]:
    return sorted(answer.node.name for answer in reply.answers)


async def test_a_trace_gives_its_answer_with_the_assertion_that_found_it() -> None:
    watch: list[Event] = []
    reply = await ask("Who directed Her?", DIRECTED, DIRECTOR, watch=watch)
    assert names(reply) == ["Spike Jonze"]
    assert [fact.text for fact in reply.evidence] == [
        "Her was directed by [ENT1]: Her -directed_by-> Spike Jonze"
    ]
    assert reply.reading == "what Her is directed by"
    assert [step.name for step in reply.steps] == STEPS
    assert [event.name for event in watch] == ["links", "candidates", "evidence"]
    [candidate] = reply.candidates
    assert candidate.text.strip() == DIRECTED
    assert candidate.query == Decomposition(
        1, (Assertion(0, "was directed by", 1),), 1, "precision"
    )
    assert reply.notes == ("no model does task 'guidance': traces follow words alone",)


async def test_grounding_gives_all_answers_and_names_every_assertion() -> None:
    reply = await ask("Who acts beside Amy Adams?", BESIDE, CO_STAR)
    assert names(reply) == ["Joaquin Phoenix"]
    assert reply.evidence[0].text == (
        "[ENT1] stars Amy Adams: Her -starred_actors-> Amy Adams; "
        "[ENT1] stars [ENT2]: Her -starred_actors-> Joaquin Phoenix"
    )


async def test_two_mentions_join_in_one_node() -> None:
    reply = await ask("Which film has both Amy Adams and Joaquin Phoenix?", BOTH, IN_BOTH)
    assert names(reply) == ["Her"]
    assert len(reply.evidence[0].triples) == 2


async def test_decompositions_of_one_meaning_are_one_candidate_with_the_sum() -> None:
    other = DIRECTED.replace("was directed by", "had as director")
    reply = await ask("Who directed Her?", DIRECTED, other, DIRECTOR, sure=0.5)
    [candidate] = reply.candidates
    assert candidate.text.strip() == DIRECTED
    assert reply.confidence == pytest.approx((0.5 + 0.25) * 0.5)


async def test_breadth_takes_relations_above_the_threshold_and_precision_the_best() -> None:
    wide = DIRECTED.replace("precision", "breadth")
    low = SchemaGraphSettings(threshold=0.1)
    reply = await ask("Who directed Her?", wide, DIRECTOR, schema_graphs=low)
    found = {t.relation for fact in reply.evidence for t in fact.triples}
    assert found == {"directed_by"}
    assert names(reply) == ["Spike Jonze"]


async def test_guidance_is_asked_for_each_candidate_and_noted_where_it_does_not_fit() -> None:
    graph = MemoryGraph.of(TRIPLES)
    schema = await graph.schema()
    guide = ToldGuide(["n0", "n1"], fingerprint=schema.fingerprint)
    reply = await ask("Who directed Her?", DIRECTED, DIRECTOR, graph=graph, guide=guide)
    assert (names(reply), reply.notes) == (["Spike Jonze"], ())
    [query] = guide.queries
    assert query.triples.shape == (1, 3, 64)
    assert len(query.anchors) == 1


async def test_where_the_best_leads_on_the_wrong_way_round_others_are_traced() -> None:
    family = [("Leka", "parents", "Zog"), ("Leka", "parents", "Geraldine")]
    graph = MemoryGraph.of([*family, ("Geraldine", "spouse", "Zog")])
    schema = await graph.schema()
    guide = ToldGuide(["n0", "n1"], fingerprint=schema.fingerprint)  # Leka and Zog
    said = '"ENT1" has parent [ENT1] ; [ENT1] has spouse [ENT2] ? [ENT2] precision'
    written = '"ENT1" -> parents -> [ENT1] ; [ENT1] -> spouse -> [ENT2]'
    reply = await ask("Whom did a parent of Leka marry?", said, written, graph=graph, guide=guide)
    assert names(reply) == ["Zog"]
    assert reply.reading == "the spouse of what Leka parents"


@pytest.mark.parametrize(
    ("settings", "note"),
    [
        ({"relations": ("a", "b")}, "trained on another graph"),
        ({"dimensions": 7}, "vectors of 7 numbers, and the embedder gives 64"),
    ],
)
async def test_guidance_of_another_graph_is_not_used(settings: dict[str, Any], note: str) -> None:
    guide = ToldGuide(["n1"], **settings)
    reply = await ask("Who directed Her?", DIRECTED, DIRECTOR, guide=guide)
    assert names(reply) == ["Spike Jonze"]
    assert note in reply.notes[0]
    assert not guide.queries


async def test_guidance_of_a_graph_that_changed_a_little_is_used() -> None:
    known = ("directed_by", "written_by", "starred_actors", "seen_by")
    guide = ToldGuide(["n1"], relations=known)
    reply = await ask("Who directed Her?", DIRECTED, DIRECTOR, guide=guide)
    assert (names(reply), reply.notes, len(guide.queries)) == (["Spike Jonze"], (), 1)


async def test_a_schema_that_changed_is_said_and_answered_all_the_same() -> None:
    settings = SchemaGraphSettings(relations=("directed_by", "seen_by"))
    reply = await ask("Who directed Her?", DIRECTED, DIRECTOR, schema_graphs=settings)
    assert names(reply) == ["Spike Jonze"]
    assert (
        "the graph's schema changed since the model was trained: it lacks seen_by; "
        "the model has not learnt spouse, starred_actors, written_by" in reply.notes
    )


async def test_without_an_anchor_nothing_is_traced() -> None:
    reply = await ask("Who directed it?", DIRECTED, DIRECTOR)
    assert reply.abstained
    assert reply.notes == ("nothing in the question was found in the graph",)
    unanchored = "[ENT1] was directed by [ENT2] ? [ENT2] precision"
    reply = await ask("Who directed Her?", unanchored, "[ENT1] -> directed_by -> [ENT2]")
    assert reply.abstained
    assert reply.notes == ("no pattern was written that could be looked for",)


async def test_an_assertion_that_no_relation_fits_is_named() -> None:
    cycle = '"ENT1" is [ENT1] ; "ENT1" is as [ENT1] ? [ENT1] precision'
    lone = MemoryGraph.of([("Her", "directed_by", "Spike Jonze")])
    parallel = '"ENT1" a [ENT1] ; "ENT1" b [ENT1] ; "ENT1" c [ENT1] ? [ENT1] precision'
    reply = await ask("Who directed Her?", parallel, graph=lone)
    assert reply.abstained
    assert reply.notes[0] == (
        'no relations of the graph fit the assertions: "ENT1" a [ENT1] ; "ENT1" b [ENT1] ; '
        '"ENT1" c [ENT1]'
    )
    both = '"ENT1" -> directed_by -> [ENT1] ; "ENT1" -> written_by -> [ENT1]'
    reply = await ask("Who directed Her?", cycle, both)
    assert names(reply) == ["Spike Jonze"]


async def test_a_schema_graph_without_a_trace_is_told() -> None:
    reply = await ask("Who directed Arrival?", DIRECTED, '"ENT1" -> spouse -> [ENT1]')
    assert reply.abstained
    assert "spouse" in reply.notes[-1]


class TracesModel(ToldTraces):
    """Does both tasks of method `stem`."""

    def __init__(self) -> None:
        super().__init__(
            '"ENT1" has as capital [ENT1] ? [ENT1] precision', '"ENT1" -> HAS_CAPITAL -> [ENT1]'
        )


class PatternModel(ToldPatterns):
    """Does the task of method `simgrag`."""

    def __init__(self) -> None:
        super().__init__("ENT1 -> HAS_CAPITAL -> ASKED")


async def test_it_answers_alone_and_leaves_other_models_their_methods(tmp_path: Path) -> None:
    settings = Settings(store_url=f"sqlite+aiosqlite:///{tmp_path}/s.db", _env_file=None)
    asked = "What is the capital of France?"
    for models, method in (
        ((TracesModel,), "stem"),
        ((TracesModel, memory_app.WordModel), "gcr"),
        ((TracesModel, PatternModel), "simgrag"),
    ):
        opened = memory_app.opener(memory_app.MemoryGraph(), *models)
        async with opened(settings) as trellis_app:
            reply = await trellis_app.answer(trellis_app.make_question(asked))
        assert (reply.method, names(reply)) == (method, ["Paris"])
