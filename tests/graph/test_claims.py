"""Claims verified on a real Neo4j, by the words that the lexicon tells without any training, and by
which steps nodes have together, where no labels tell their kinds."""

from __future__ import annotations

import pytest

from real_neo4j import GraphFiller
from trellis.domain.graphs.graph import Step
from trellis.domain.replies.claims import ClaimReply
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.lexicon.phrasebook import Phrasebook
from trellis.pipelines.claims import ClaimVerification
from trellis.steps.claims.known_words import list_known_words
from trellis.steps.claims.step_companions import StepCompanions
from trellis.training.supervision.claims.count_claim_words import count_claim_words

FILMS = """
CREATE (ann:Person {name: 'Ann Lee', born: 1960}), (bob:Person {name: 'Bob Ray', born: 1975}),
       (cy:Person {name: 'Cy Fox'}),
       (red:Film {name: 'Red Moon', year: 1990}), (blue:Film {name: 'Blue Sun', year: 2001}),
       (grey:Film {name: 'Grey Sea', year: 2010}), (lost:Film {name: 'Lost Reel'}),
       (red)-[:DIRECTED_BY]->(ann), (blue)-[:DIRECTED_BY]->(ann), (grey)-[:DIRECTED_BY]->(bob),
       (red)-[:WRITTEN_BY]->(bob), (red)-[:STARS]->(bob), (grey)-[:STARS]->(cy)
"""


def build_companions(connection: GraphConnection) -> StepCompanions:
    return StepCompanions(Neo4jGraph(connection), Neo4jQueries(connection, Limits()))


@pytest.fixture
async def verification(fill: GraphFiller) -> ClaimVerification:
    companions = build_companions(await fill(FILMS))
    known = list_known_words(await companions.graph.schema(), Phrasebook.load())
    return ClaimVerification(companions, count_claim_words([], known))


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Red Moon was directed by Ann Lee.", "supported"),
        ("Red Moon was directed by Bob Ray.", "refuted"),
        ("Lost Reel was directed by Bob Ray.", "not_enough_evidence"),
        ("Red Moon was not directed by Bob Ray.", "supported"),
        ("Red Moon was directed by Ann Lee and written by Bob Ray.", "supported"),
        ("The director of Red Moon also directed Blue Sun.", "supported"),
        ("The director of Red Moon directed Grey Sea.", "refuted"),
        ("Ann Lee directed at least 2 films.", "supported"),
        ("Ann Lee directed more than 2 films.", "refuted"),
        ("The year of Red Moon is 1990.", "supported"),
        ("The year of Red Moon is 1991.", "refuted"),
        ("The year of Red Moon is earlier than the year of Grey Sea.", "supported"),
        ("Grey Sea is longer than Red Moon.", "not_enough_evidence"),  # years tell no length
        ("Ann Lee is taller than Bob Ray.", "not_enough_evidence"),
        ("Ann Lee directed exactly 2 films, no more and no fewer.", "supported"),
        ("Red Moon was written by Bob Ray and Grey Sea stars Cy Fox.", "supported"),
        ("Red Moon was written by Bob Ray and Grey Sea was directed by Ann Lee.", "refuted"),
        ("Red Moon was directed by Zoe Zank.", "not_enough_evidence"),
        ("Green Star was directed by Ann Lee.", "not_enough_evidence"),
    ],
)
async def test_verdicts(verification: ClaimVerification, claim: str, verdict: str) -> None:
    reply = await verification.verify(claim)
    assert reply.verdict == verdict, describe(reply)


async def test_evidence_stands_in_the_graph_and_the_reading_says_it(
    verification: ClaimVerification,
) -> None:
    reply = await verification.verify("Red Moon was directed by Bob Ray.")
    assert [(t.head.name, t.relation, t.tail.name) for t in reply.evidence] == [
        ("Red Moon", "DIRECTED_BY", "Ann Lee")
    ]
    assert await verification.companions.graph.check_triples(reply.evidence) == [True]
    assert reply.reading == "Red Moon is directed by Bob Ray"


async def test_what_is_not_in_the_graph_is_named(verification: ClaimVerification) -> None:
    reply = await verification.verify("Green Star was directed by Ann Lee.")
    assert "Green Star" in reply.notes[0]


def describe(reply: ClaimReply) -> str:
    tried = [(each.truth.name, round(each.probability, 2)) for each in reply.candidates[:3]]
    return f"{reply.reading}: {tried} {reply.notes}"


CLUBS = """
CREATE (a:Entity {name: 'Ann'}), (b:Entity {name: 'Bo'}), (x:Entity {name: 'X United'}),
       (y:Entity {name: 'Y City'}), (n:Entity {name: 'Norway'}), (s:Entity {name: '7'}),
       (a)-[:PLAYS_IN]->(x), (b)-[:PLAYS_IN]->(y), (a)-[:WEARS]->(s), (b)-[:WEARS]->(s),
       (x)-[:BASED_IN]->(n)
"""
PLAYS, WEARS, BASED = Step("PLAYS_IN"), Step("WEARS"), Step("BASED_IN")


async def test_kinds_are_told_by_steps(fill: GraphFiller) -> None:
    companions = build_companions(await fill(CLUBS))
    await companions.load([PLAYS, PLAYS.turn(), WEARS.turn()])
    assert companions.may_have([PLAYS], WEARS)
    assert companions.may_have([PLAYS.turn()], BASED)  # a club without a place has one, perhaps
    assert not companions.may_have([PLAYS.turn()], WEARS)  # clubs wear no number
    assert not companions.may_have([WEARS.turn()], PLAYS.turn())  # nobody plays in a number
    assert companions.may_have([], WEARS)  # of what has no steps nothing is known


async def test_what_is_known_ends_with_the_schema(fill: GraphFiller) -> None:
    clubs = await fill(CLUBS)
    companions = build_companions(clubs)
    await companions.load([PLAYS.turn()])
    assert not companions.may_have([PLAYS.turn()], Step("OWNED_BY"))
    await clubs.run_write(
        "MATCH (x {name: 'X United'}), (a {name: 'Ann'}) CREATE (x)-[:OWNED_BY]->(a)"
    )
    await companions.load([PLAYS.turn()])
    assert companions.may_have([PLAYS.turn()], Step("OWNED_BY"))
