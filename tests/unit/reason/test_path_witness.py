"""What the linked nodes lack is absent for every method beside which a path witness stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from memory_atlas import load_atlas
from memory_graph import TrigramEmbedder
from memory_grounding import GroundingQueries
from told_chains import ToldChains
from told_patterns import ToldPatterns
from told_traces import ToldTraces
from trellis.domain.limits.budget import Budget
from trellis.domain.limits.sharing import share_work
from trellis.domain.models.card import Calibration
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.domain.ports import LanguageModel
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.local import LocalModel
from trellis.methods import METHODS
from trellis.methods.registry import PipelineParts
from trellis.settings import BUNDLED_MODEL, Settings
from trellis.steps.retrieve.chains.settings import ChainSettings
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.patterns.settings import PatternSettings


class CountingModel:
    """A language model that counts the languages that another one is asked to write in."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.card = model.card
        self.languages = 0

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        self.languages += len(languages)
        return await self.model.decode(prompts, languages, search)


@pytest.fixture(scope="module")
def bundled() -> LanguageModel:
    return LocalModel.load(BUNDLED_MODEL, "cpu", Path("unused"))


@pytest.fixture
def paths(bundled: LanguageModel) -> CountingModel:
    return CountingModel(bundled)


def tell_models(relation: str) -> Mapping[str, Mapping[str, LanguageModel]]:
    """By method, models that answer by one relation whatever the question says."""
    chains = ToldChains(f"ENT1 <- {relation} =", settings=ChainSettings())
    patterns = ToldPatterns(f"ENT1 <- {relation} <- ASKED", settings=PatternSettings())
    traces = ToldTraces(
        '[ENT1] is independent from "ENT1" ? [ENT1] breadth', f'[ENT1] -> {relation} -> "ENT1"'
    )
    return {
        "dog": {"chain": chains},
        "simgrag": {"pattern": patterns},
        "stem": {"assertion": traces, "schema_graph": traces},
    }


async def ask(method: str, question: str, relation: str, paths: LanguageModel | None) -> Reply:
    graph, models = load_atlas(), dict(tell_models(relation).get(method, {}))
    if paths:
        models[PathSettings.task] = paths
    parts = PipelineParts(
        Settings(),
        graph,
        GroundingQueries(graph),
        models,
        TrigramEmbedder(),
        None,
        Calibration(),
        Budget(10.0, 100, 64),
    )
    return await METHODS[method].build_pipeline(parts).answer(Question(question))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["dog", "simgrag", "stem"])
async def test_no_method_answers_by_another_relation(method: str, paths: CountingModel) -> None:
    question = "Which countries border Japan?"
    assert (await ask(method, question, "INDEPENDENT_FROM", None)).answers
    reply = await ask(method, question, "INDEPENDENT_FROM", paths)
    assert not reply.answers
    assert reply.is_absent
    assert reply.method == method
    assert reply.reading == "what Japan borders"


@pytest.mark.slow
async def test_what_is_there_is_answered_without_a_wider_search(paths: CountingModel) -> None:
    reply = await ask("dog", "Which countries border Portugal?", "BORDERS", paths)
    assert [answer.node.name for answer in reply.answers] == ["Spain"]
    assert paths.languages == 1


async def test_methods_that_are_asked_side_by_side_share_the_witness(paths: CountingModel) -> None:
    async with share_work():
        for method in ("gcr", "dog", "simgrag"):
            reply = await ask(method, "Which countries border Japan?", "BORDERS", paths)
            assert reply.is_absent
    assert paths.languages == 2
