"""A hosted model that writes chains: what it is told, and what its lines mean."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from openai import AsyncOpenAI

from chat_server import ChatServer, chat_server, scripted
from trellis.automata.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.chains.language import ChainOptions
from trellis.automata.chains.opening import Chains, open_chains
from trellis.automata.walks import Start
from trellis.domain.card import ModelCard
from trellis.domain.decoding import Search, Sentence
from trellis.domain.prompt import Prompt
from trellis.engines.chat import ChatFormat
from trellis.engines.completions import ChatCompletions
from trellis.engines.hosted import HostedModel

NAMES = ("Vera", "Winter", "Lyon", "France", "Otto")
EDGES = [(0, "wrote", 1), (1, "printed in", 2), (2, "lies in", 3), (4, "edited", 1)]
PROMPT = Prompt("chain", "In which town was Vera's book printed?", "Chain")
ANSWER = "Vera -> wrote -> Winter ; Winter -> printed in -> Lyon = Lyon"


def open_language(anchor: int = 0) -> Chains:
    graph = cut_neighbourhood(build_adjacency(NAMES, NAMES, EDGES), [anchor], 3)
    return open_chains(graph, [Start(" ENT1", (0,))], ChainOptions("full", revisit="any"))


async def decode(
    *answers: str, language: Chains | None = None
) -> tuple[Sequence[Sentence], ChatServer, dict[str, int]]:
    language = language or open_language()
    with chat_server(scripted(*answers)) as server:
        async with AsyncOpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
            model = HostedModel(
                ChatCompletions(client, "m", 200.0),
                ModelCard(tasks={}, base="m"),
                {"chain": ChatFormat(200)},
            )
            [sentences] = await model.decode([PROMPT], [language], Search(width=3))
    return sentences, server, dict(model.tally)


@pytest.mark.parametrize("written", [ANSWER, f"1. {ANSWER}", f'"{ANSWER}"', f"```\n{ANSWER}\n```"])
async def test_a_chain_is_read_however_it_is_wrapped(written: str) -> None:
    [sentence], _, tally = await decode(written)
    assert sentence.text == ANSWER
    [chain] = sentence.values
    assert [triple.relation for triple in chain.triples] == ["wrote", "printed in"]
    assert [tuple(map(str, path.steps)) for path in chain.paths] == [("wrote", "printed in")]
    assert tally == {"read": 1, "dropped": 0}


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong",
    [
        "Winter -> wrote -> Vera ; Winter -> printed in -> Lyon = Lyon",
        "Vera -> wrote -> Winter ; Lyon -> lies in -> France = France",
        "Vera -> wrote -> Winter ; Vera -> wrote -> Winter = Winter",
        "Vera -> wrote -> Winter",
        "Vera -> wrote -> Summer = Summer",
        "Vera -> wrote -> Winter = Otto",
    ],
    ids=["turned round", "apart", "twice", "without an end", "imagined", "not in the chain"],
)
async def test_an_ill_formed_chain_goes_back_once_and_is_then_dropped(wrong: str) -> None:
    sentences, server, tally = await decode(wrong, ANSWER)
    assert "It could" in server.told(1)
    assert [sentence.text for sentence in sentences] == [ANSWER]
    assert tally == {"read": 1, "sent_back": 1, "dropped": 0}
    sentences, _, tally = await decode(wrong, wrong)
    assert (sentences, tally["dropped"]) == ([], 1)


async def test_over_nothing_nobody_is_asked() -> None:
    alone = cut_neighbourhood(build_adjacency(["x"], ["x"], []), [0], 1)
    language = open_chains(alone, [Start(" ENT1", (0,))], ChainOptions("full"))
    sentences, server, _ = await decode(ANSWER, language=language)
    assert (sentences, server.requests) == ([], [])
