"""A hosted model that writes chains: what it is told, and what its lines mean."""

from __future__ import annotations

import pytest

from chat_server import scripted
from trellis.automata.chains.language import ChainOptions
from trellis.automata.chains.opening import Chains, open_chains
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.walks import Start
from trellis.domain.models.card import ModelCard
from trellis.domain.models.prompt import Prompt
from trellis.engines.chats.chat import ChatFormat
from unit.decoding.hosted import Written, write

NAMES = ("Vera", "Winter", "Lyon", "France", "Otto")
EDGES = [(0, "wrote", 1), (1, "printed in", 2), (2, "lies in", 3), (4, "edited", 1)]
PROMPT = Prompt("chain", "In which town was Vera's book printed?", "Chain")
ANSWER = "Vera -> wrote -> Winter ; Winter -> printed in -> Lyon = Lyon"


def open_language(anchor: int = 0) -> Chains:
    graph = cut_neighbourhood(build_adjacency(NAMES, NAMES, EDGES), [anchor], 3)
    return open_chains(graph, [Start(" ENT1", (0,))], ChainOptions("full", revisit="any"))


async def decode(*answers: str, language: Chains | None = None) -> Written:
    card, chat = ModelCard(tasks={}, base="m"), ChatFormat(200)
    return await write(scripted(*answers), PROMPT, language or open_language(), chat, card)


@pytest.mark.parametrize("written", [ANSWER, f"1. {ANSWER}", f'"{ANSWER}"', f"```\n{ANSWER}\n```"])
async def test_a_chain_is_read_however_it_is_wrapped(written: str) -> None:
    read = await decode(written)
    [sentence] = read.sentences
    assert sentence.text == ANSWER
    [chain] = sentence.values
    assert [triple.relation for triple in chain.triples] == ["wrote", "printed in"]
    assert [tuple(map(str, path.steps)) for path in chain.paths] == [("wrote", "printed in")]
    assert read.tally == {"read": 1, "dropped": 0}


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
    written = await decode(wrong, ANSWER)
    assert "It could" in written.told(1)
    assert written.texts == [ANSWER]
    assert written.tally == {"read": 1, "sent_back": 1, "dropped": 0}
    twice = await decode(wrong, wrong)
    assert (twice.texts, twice.tally["dropped"]) == ([], 1)


async def test_over_nothing_nobody_is_asked() -> None:
    alone = cut_neighbourhood(build_adjacency(["x"], ["x"], []), [0], 1)
    language = open_chains(alone, [Start(" ENT1", (0,))], ChainOptions("full"))
    written = await decode(ANSWER, language=language)
    assert (written.texts, written.requests) == ([], [])
