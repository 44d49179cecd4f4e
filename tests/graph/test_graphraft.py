"""GraphRAFT over a real Neo4j: what is answered, on what evidence, and what bad input comes to."""

from __future__ import annotations

import pytest

from graph.asking import ask_graphraft, list_names
from graph.police import HOW_MANY, KIM, OLDEST, ToldModel
from trellis.domain.errors import UnknownTopicError
from trellis.domain.graphs.links import Link, StoredValue
from trellis.domain.models.decoding import Search
from trellis.domain.replies.events import Event
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.cypher import CypherQuery
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.conclude.queries.judge_query import NO_ANSWER_NOTE
from trellis.steps.ground.verify import check_statements
from trellis.steps.retrieve.queries.settings import CypherSettings

WIDE = CypherSettings(is_wide=True)
KNOWS_ADA = "MATCH (p:Person)-[:KNOWS]->(q:Person WHERE q.name = 'Ada') RETURN p"
EMPTY = (
    KNOWS_ADA,
    "MATCH (p:Person)-[:KNOWS]->(q:Person)-[:KNOWS]->(r:Person WHERE r.name = 'Ada') RETURN p",
    "MATCH (p:Person)-[:KNOWS]->(o:Person)<-[:KNOWS]-(q:Person WHERE q.name = 'Ada') RETURN p",
)


def triples(reply: Reply) -> set[tuple[str, str, str]]:
    return {(t.head.labels[0], t.relation, t.tail.name) for t in reply.triples()}


async def test_nodes_are_answered_with_the_query_and_its_relationships(
    police: GraphConnection,
) -> None:
    reply = await ask_graphraft(police, ToldModel(KIM), "Which crimes did officer Kim investigate?")
    assert len(reply.answers) == 2
    assert triples(reply) == {("Crime", "INVESTIGATED_BY", "Kim")}
    assert reply.cypher
    assert "$v0" in reply.cypher
    assert list(reply.params.values()) == ["Kim"]
    assert reply.plan
    assert reply.plan.kind == "r"
    assert reply.rows
    again = await Neo4jQueries(police, Limits()).run(CypherQuery(reply.cypher, reply.params))
    assert again.rows == reply.rows.rows  # runnable as it stands
    assert reply.reading == "crimes that are investigated by officer Kim"
    assert reply.verdict is None


async def test_a_number_stands_on_what_was_counted(police: GraphConnection) -> None:
    reply = await ask_graphraft(police, ToldModel(HOW_MANY), "How many crimes did Kim investigate?")
    assert (list_names(reply), reply.count, len(reply.triples())) == (["2"], 2, 2)


@pytest.mark.parametrize(
    ("kind", "verdict", "facts"), [("Robbery", "yes", 1), ("Arson", "yes", 1), ("Fraud", "no", 2)]
)
async def test_what_asks_whether_has_a_verdict_and_its_facts(
    police: GraphConnection, kind: str, verdict: str, facts: int
) -> None:
    await police.run_write("MERGE (:Crime {type: 'Fraud', date: '4/08/2017'})")
    whether = f"MATCH (c:Crime {{type: '{kind}'}})-[:INVESTIGATED_BY]-(o:Officer {{name: 'Kim'}})"
    model = ToldModel(f"{whether} RETURN count(*) > 0")
    reply = await ask_graphraft(police, model, f"Did Kim investigate any {kind}?", settings=WIDE)
    assert (reply.verdict, list_names(reply), reply.abstained) == (verdict, [verdict], False)
    assert len(reply.triples()) == facts
    assert reply.reading == (
        f"whether there is a crime whose type is {kind} and that is investigated by officer Kim"
    )


async def test_an_extreme_stands_on_its_own_row(police: GraphConnection) -> None:
    reply = await ask_graphraft(police, ToldModel(OLDEST), "Who is the oldest person in a robbery?")
    [own, following] = [fact.text for fact in reply.evidence]
    assert "-PARTY_TO->" in own
    assert own.startswith(reply.answers[0].node.name)
    assert "-age-> 45" in own
    assert following.endswith(" (the next one)")
    assert [answer.evidence for answer in reply.answers] == [(0,)]
    assert reply.answers[0].node.properties == {"name": reply.answers[0].node.name, "age": 45}


async def test_a_candidate_without_rows_gives_way_to_the_next(police: GraphConnection) -> None:
    nothing = "MATCH (o:Officer WHERE o.name = 'Kim')--(c:Crime) RETURN o"
    empty = "MATCH (p:Person)-[:KNOWS]->(q:Person WHERE q.name = 'Ada') RETURN p"
    other = "MATCH (p:Person)<-[:KNOWS]-(q:Person WHERE q.name = 'Ada') RETURN p"
    reply = await ask_graphraft(police, ToldModel(nothing, empty, other), "Who is known by Ada?")
    assert list_names(reply) == ["Bob"]
    assert [one.answer_count for one in reply.candidates] == [0, 1]


async def test_a_believed_query_that_matches_nothing_says_that_there_is_none(
    police: GraphConnection,
) -> None:
    reply = await ask_graphraft(police, ToldModel(KNOWS_ADA), "Who knows Ada?")
    assert (reply.abstained, reply.answers) == (False, ())
    assert reply.cypher
    assert reply.candidates[0].answer_count == 0
    assert NO_ANSWER_NOTE in reply.notes


async def test_a_count_of_none_is_zero(police: GraphConnection) -> None:
    counted = KNOWS_ADA.replace("RETURN p", "RETURN count(DISTINCT p)")
    reply = await ask_graphraft(police, ToldModel(counted), "How many people know Ada?")
    assert (list_names(reply), reply.count, reply.abstained) == (["0"], 0, False)


async def test_where_nothing_is_believed_all_that_was_tried_is_told(
    police: GraphConnection,
) -> None:
    """A wider search comes first; then each query with what became of it."""
    model = ToldModel(*EMPTY, sure=0.2)
    reply = await ask_graphraft(police, model, "Who is known to Ada?", search=Search(width=1))
    assert (reply.abstained, reply.answers, model.widths) == (True, (), [1, 3])
    assert reply.reading == "persons that know person Ada"
    assert [(one.answer_count, one.problem) for one in reply.candidates] == [(0, "")] * 3
    assert all(isinstance(one.query, CypherQuery) for one in reply.candidates)


async def test_a_wider_search_finds_what_the_first_one_left_out(police: GraphConnection) -> None:
    model = ToldModel(*EMPTY[:2], KNOWS_ADA.replace("->", "-"), sure=0.2)
    reply = await ask_graphraft(
        police, model, "Who is acquainted with Ada?", search=Search(width=2)
    )
    assert (list_names(reply), model.widths) == (["Bob"], [2, 6])


async def test_what_was_linked_is_told_first_and_stands_in_the_reply(
    police: GraphConnection,
) -> None:
    told: list[Event] = []
    reply = await ask_graphraft(
        police, ToldModel(KIM), "Which crimes did Kim investigate?", watch=told.append
    )
    assert [event.name for event in told] == ["links", "candidates", "evidence"]
    assert told[0].data == reply.mentions
    [mention] = reply.mentions
    assert (mention.text, mention.start, mention.end) == ("Kim", 17, 20)
    kim = StoredValue("Officer", "name", "Kim")
    assert mention.links == (Link(kim, mention.score, "exact"),)


@pytest.mark.parametrize(
    "name", ['Cleo "the fox" O\'Hara', "Ada' OR true //", "Bob'}) DETACH DELETE n //", "$v0", "`"]
)
async def test_quotes_and_injections_are_parameters_or_nothing(
    police: GraphConnection, name: str
) -> None:
    """A value that is there is found whole; one that is not is in no query."""
    query = "MATCH (p:Person)-[:KNOWS]-(q:Person WHERE q.name = $name) RETURN p"
    reply = await ask_graphraft(
        police, ToldModel(query, params={"name": name}), f"Who knows {name}?"
    )
    known = name.startswith("Cleo")
    assert list_names(reply) == (["Dan"] if known else [])
    assert not reply.cypher or name not in reply.cypher
    assert (await police.read_rows("MATCH (n:Person) RETURN count(n) AS n"))[0]["n"] == 4


async def test_names_of_any_shape_are_said_and_run(police: GraphConnection) -> None:
    odd = "MATCH (b:Blank)-[:`IS``T`]-(o:`O``dd`) RETURN b"
    reply = await ask_graphraft(police, ToldModel(odd), "Which blank is it?")
    assert len(reply.answers) == 1
    assert triples(reply) == {("O`dd", "IS`T", reply.answers[0].node.name)}


async def test_given_topics_replace_linking(police: GraphConnection) -> None:
    model = ToldModel("MATCH (p:Person)-[:KNOWS]-(q:Person WHERE q.name = 'Ada') RETURN p")
    assert list_names(await ask_graphraft(police, model, "Who knows Ada, as Bob does?", "Ada")) == [
        "Bob"
    ]
    assert "v1" not in model.prompts[0].question
    with pytest.raises(UnknownTopicError, match="Zorg"):
        await ask_graphraft(police, model, "Who knows Zorg?", "Zorg")


async def test_what_is_grounded_says_only_what_there_is(police: GraphConnection) -> None:
    """Nobody knows Ada: where that cannot be said, whom she knows is the best that can."""
    known = KNOWS_ADA.replace("->", "-")
    for hops, answers in ((0, []), (2, ["Bob"])):
        model, search = ToldModel(KNOWS_ADA, known, sure=0.99), Search(width=1)
        reply = await ask_graphraft(police, model, "Who knows Ada?", search=search, hops=hops)
        assert list_names(reply) == answers


async def test_an_empty_graph_has_nothing_to_say(clean_graph: GraphConnection) -> None:
    reply = await ask_graphraft(clean_graph, ToldModel(KIM), "Which crimes did Kim investigate?")
    assert (reply.abstained, reply.cypher) == (True, None)
    assert "nothing can be asked" in reply.notes[0]


async def test_what_the_gate_refuses_is_noted_and_answers_nothing(police: GraphConnection) -> None:
    refuse = Limits(row_budget=0.5)
    reply = await ask_graphraft(
        police, ToldModel(KIM), "Which crimes did Kim investigate?", limits=refuse
    )
    assert (reply.abstained, reply.candidates[0].answer_count) == (True, None)
    assert any("rows" in note for note in reply.notes)


def read_cited(reply: Reply) -> dict[str, list[str]]:
    return {
        answer.node.name: sorted(reply.evidence[number].text for number in answer.evidence)
        for answer in reply.answers
    }


def read_beside(reply: Reply) -> list[str]:
    cited = {number for answer in reply.answers for number in answer.evidence}
    return sorted(f.text for number, f in enumerate(reply.evidence) if number not in cited)


@pytest.mark.parametrize(
    ("query", "question", "cited", "beside"),
    [
        (
            "MATCH (p:Person WHERE p.name = 'Ada') RETURN p.age",
            "What is the age of person Ada?",
            {"31": ["Ada -age-> 31"]},
            [],
        ),
        (
            "MATCH (p:Person WHERE p.age < 40) RETURN p",
            "Which persons have an age of less than 40?",
            {"Ada": ["Ada -age-> 31"], "Dan": ["Dan -age-> 19"]},
            [],
        ),
        (
            "MATCH (p:Person) RETURN min(p.age)",
            "What is the least age of a person?",
            {"19": ["Dan -age-> 19", "minimum of age: 4 values, from 19 to 45"]},
            ["Ada -age-> 31 (the next one)"],
        ),
        (
            "MATCH (p:Person) RETURN avg(p.age)",
            "What is the average age of persons?",
            {
                "35": [
                    "Ada -age-> 31",
                    "Bob -age-> 45",
                    'Cleo "the fox" O\'Hara -age-> 45',
                    "Dan -age-> 19",
                    "average of age: 4 values, from 19 to 45",
                ]
            },
            [],
        ),
        (
            "MATCH (o:Officer)<-[:INVESTIGATED_BY]-(c:Crime) "
            "RETURN o ORDER BY count(DISTINCT c) DESC LIMIT 1",
            "Which officer investigated the most crimes?",
            {
                "Kim": [
                    "1/08/2017 -INVESTIGATED_BY-> Kim",
                    "2/08/2017 -INVESTIGATED_BY-> Kim",
                    "count of Crime: Kim 2; the next one: Roy 1",
                ]
            },
            [],
        ),
        (
            "MATCH (p:Person) WHERE NOT EXISTS { MATCH (p)-[:PARTY_TO]->(:Crime) } RETURN p",
            "Which persons are not party to any crime?",
            {"Dan": ["Dan -name-> Dan"]},
            [
                "Ada -PARTY_TO-> 1/08/2017 (another)",
                "Bob -PARTY_TO-> 1/08/2017 (another)",
                "Bob -PARTY_TO-> 2/08/2017 (another)",
                'Cleo "the fox" O\'Hara -PARTY_TO-> 3/08/2017 (another)',
            ],
        ),
        (
            "MATCH (p:Person WHERE p.name = 'Ada'), (q:Person WHERE q.name = 'Bob') "
            "WHERE p.age > q.age RETURN count(*) > 0",
            "Is Ada older than Bob?",
            {"no": ["Bob -age-> 45; Ada -age-> 31"]},
            [],
        ),
    ],
)
async def test_each_answer_has_its_facts(
    police: GraphConnection,
    query: str,
    question: str,
    cited: dict[str, list[str]],
    beside: list[str],
) -> None:
    reply = await ask_graphraft(police, ToldModel(query, sure=0.9), question, settings=WIDE)
    assert read_cited(reply) == cited
    assert read_beside(reply) == beside
    checked = await check_statements(Neo4jGraph(police), reply.statements())
    assert all(checked.values())


async def test_a_changed_or_invented_value_is_not_found(police: GraphConnection) -> None:
    query = "MATCH (p:Person WHERE p.name = 'Ada') RETURN p.age"
    reply = await ask_graphraft(police, ToldModel(query), "What is the age of person Ada?")
    await police.run_write("MATCH (p:Person {name: 'Ada'}) SET p.age = 32")
    assert not any((await check_statements(Neo4jGraph(police), reply.statements())).values())
