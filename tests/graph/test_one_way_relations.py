"""A graph that has a relation in one direction alone is not read in the other one, unless the
relation holds both ways; by the shipped reader, over a graph that it never saw."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graph.opened import opening_reader
from trellis.app.trellis_app import TrellisApp
from trellis.domain.question import Question
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph
from trellis.settings import Settings

pytestmark = pytest.mark.slow

OFFICE = """
CREATE (ann:Clerk {name: 'Ann Sorel'}), (bo:Clerk {name: 'Bo Lind'}), (cy:Clerk {name: 'Cy Marsh'}),
  (di:Clerk {name: 'Di Orban'}), (oslo:Town {name: 'Oslo'}), (turku:Town {name: 'Turku'}),
  (ann)-[:LIVES_IN]->(oslo), (bo)-[:LIVES_IN]->(turku), (cy)-[:LIVES_IN]->(oslo),
  (ann)-[:REPORTS_TO]->(bo), (cy)-[:SUCCEEDED]->(di), (ann)-[:MARRIED_TO]->(di),
  (di)-[:FOLLOWS]->(bo), (oslo)-[:TWINNED_WITH]->(turku)
"""


@pytest.fixture
async def office(
    clean_graph: GraphConnection, graph_settings: Settings, tmp_path: Path
) -> AsyncIterator[TrellisApp]:
    await clean_graph.run_write(OFFICE)
    await index_graph(clean_graph)
    async with opening_reader(graph_settings, tmp_path, cache=tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who does Ann Sorel report to?", "Bo Lind"),
        ("Who reports to Bo Lind?", "Ann Sorel"),
        ("Who succeeded Di Orban?", "Cy Marsh"),
        ("Who follows Bo Lind?", "Di Orban"),
        ("Who is Ann Sorel married to?", "Di Orban"),
        ("Who is Di Orban married to?", "Ann Sorel"),
        ("Which town is Turku twinned with?", "Oslo"),
        ("Which town is twinned with Oslo?", "Turku"),
    ],
)
async def test_what_is_there_is_answered(office: TrellisApp, question: str, name: str) -> None:
    reply = await office.answer(Question(question))
    assert [answer.node.name for answer in reply.answers] == [name]


@pytest.mark.parametrize(
    "question",
    ["Who reports to Ann Sorel?", "Who succeeded Cy Marsh?", "Who follows Di Orban?"],
)
async def test_the_other_way_round_is_no_answer(office: TrellisApp, question: str) -> None:
    reply = await office.answer(Question(question), "gcr")
    assert not reply.answers
    assert reply.held_back.startswith("the graph has it only the other way round")
    assert not (await office.answer(Question(question))).answers
