"""What agents and LangChain are given of an answer with rows."""

from __future__ import annotations

from trellis.client.agent_tools import AgentAnswer
from trellis.client.langchain_tools import list_own_documents
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.replies.reply import Answer, Reply
from trellis.domain.structures.cypher import Rows
from trellis.wire.bodies import ReplyBody

GUYANA, PERU = Node("n1", "Guyana", ("Country",)), Node("n2", "Peru", ("Country",))
SOUTH = Node("n3", "South America", ("Continent",))
FACTS = tuple(Fact.of_triples([Triple(it, "IN_CONTINENT", SOUTH)]) for it in (PERU, GUYANA))
REPLY = Reply(
    "?",
    "graphraft",
    (Answer(GUYANA, 0.9, (1,)),),
    FACTS,
    0.9,
    False,
    reading="countries of South America",
    rows=Rows(("country", "population"), [(GUYANA, 820_000)]),
    total=12,
)
BODY = ReplyBody.of("1", REPLY)


def test_an_agent_is_given_columns_rows_and_the_total() -> None:
    told = AgentAnswer.of(BODY)
    assert told.columns == ["country", "population"]
    assert told.rows == [
        [{"type": "node", "id": "n1", "name": "Guyana", "labels": ["Country"]}, 820_000]
    ]
    assert (told.row_count, told.total) == (12, 12)
    assert "| Guyana [1] | 820,000 |" in told.text
    assert "… 1 of 12 shown" in told.text


def test_an_agent_is_given_no_more_rows_than_it_can_read() -> None:
    rows = [[f"n{i}", i] for i in range(1_000)]
    told = AgentAnswer.of(BODY.model_copy(update={"rows": rows, "total": None}))
    assert told.rows == rows[:200]
    assert told.row_count == 1_000


def test_documents_are_rows_then_the_facts_of_an_answer_then_others() -> None:
    row, own, other = list_own_documents(BODY)
    assert row.page_content == "country: Guyana; population: 820000"
    assert row.metadata["row"]["population"] == 820_000
    assert (own.page_content, own.metadata["answers"]) == (
        "Guyana -IN_CONTINENT-> South America",
        ["Guyana"],
    )
    assert other.metadata["answers"] == []
