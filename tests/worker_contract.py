"""What holds of every decoding worker that serves the bundled model, whatever runs it.

A test class of each kind of worker inherits it; fixtures `model` (the engine over that worker) and
`local` (the local engine) come from where that class is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import pytest

from chain_worlds import ChainWorld, chain_world
from trellis.automata.chains.pausing import pause_after
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.domain.errors import InputError
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.domain.ports import GrowingModel
from trellis.engines.local import LocalModel
from trellis.engines.workers.worker import WorkerModel
from trellis.steps.conclude.rank_answers import RELEVANCE_LANGUAGE
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from unit.automata.cypher.cinema import cinema
from unit.decoding.workers import PROMPT, walks

SEARCHES = (
    Search(width=5),
    Search(width=4, diversity=1.0, groups=2),
    Search("greedy", width=1),
    Search("stochastic_beam", width=4, seed=1, length_penalty=0.5),
)
LANGUAGES: tuple[dict[str, Any], ...] = ({}, {"meets": True}, {"rendering": "full"})


async def write_chains(model: GrowingModel, world: ChainWorld) -> Sequence[Sentence]:
    """The best chains of a world, written part by part while the language grows."""
    language, begun, ended, parts = world.open(hops=1), list[Sentence](), list[Sentence](), 0
    while (begun or not parts) and not language.is_empty():
        parts += 1
        pausing = pause_after(language, parts)
        found = await model.extend_sentences(PROMPT, pausing, begun, Search(width=3))
        ended += [each for each in found if each.values[0].has_ended]
        begun = [each for each in found if not each.values[0].has_ended]
        if needed := tuple({n for each in begun for v in each.values for n in v.needs}):
            language = world.grow(language, needed)
    return ended


class WorkerContract:
    """Tests to inherit."""

    @pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.mode)
    @pytest.mark.parametrize("more", LANGUAGES, ids=str)
    async def test_it_answers_as_the_local_engine_does(
        self, model: WorkerModel, local: LocalModel, search: Search, more: dict[str, Any]
    ) -> None:
        assert model.card == local.card
        await decode_alike(model, local, [PROMPT], [walks(**more)], search)

    async def test_a_samples_scores_are_the_local_engines(
        self, model: WorkerModel, local: LocalModel
    ) -> None:
        [drawn] = await model.decode([PROMPT], [walks()], Search("sample", width=8, seed=3))
        [every] = await local.decode([PROMPT], [walks()], Search(width=100))
        scores = {one.tokens: one.score for one in every}
        assert drawn
        for one in drawn:
            assert one.score == pytest.approx(scores[one.tokens], abs=1e-4)

    @pytest.mark.parametrize("seed", range(6))
    async def test_chains_grow_there_as_they_do_here(
        self, model: WorkerModel, local: LocalModel, seed: int
    ) -> None:
        world = chain_world(seed, most_triples=3)
        check_alike(*[await write_chains(each, world) for each in (model, local)])

    async def test_it_writes_queries_too(self, model: WorkerModel, local: LocalModel) -> None:
        [there] = await decode_alike(model, local, [PROMPT], [cinema()], Search(width=5))
        assert all(query.text.startswith("MATCH") for one in there for query in one.values)

    @pytest.mark.parametrize("search", SEARCHES[:3], ids=lambda search: search.mode)
    async def test_it_writes_patterns_in_any_words(
        self, model: WorkerModel, local: LocalModel, search: Search
    ) -> None:
        language = PatternLanguage(2, PatternWords(free_tokens=6), PatternWords(free_tokens=4))
        short = replace(search, max_tokens=40)
        [there] = await decode_alike(model, local, [PROMPT], [language], short)
        assert there
        assert len({one.text for one in there}) == len(there)
        assert all(pattern.asked is not None for one in there for pattern in one.values)

    async def test_it_judges_as_the_local_engine_does(
        self, model: WorkerModel, local: LocalModel
    ) -> None:
        prompts = [PROMPT, replace(PROMPT, sections=(("Answer", "Paris"),))]
        languages = [RELEVANCE_LANGUAGE, RELEVANCE_LANGUAGE]
        found = await decode_alike(model, local, prompts, languages, Search("greedy", width=1))
        assert [len(judged) for judged in found] == [1, 1]

    async def test_several_prompts_at_once_keep_their_order(
        self, model: WorkerModel, local: LocalModel
    ) -> None:
        prompts = [PROMPT, build_masked_path_prompt("what is the river of ENT1?"), PROMPT]
        languages = [walks(), walks(hops=1), walks(starts=[])]
        there = await decode_alike(model, local, prompts, languages, Search(width=3))
        assert there[2] == []

    async def test_a_sentence_that_does_not_fit_is_the_local_engines_error(
        self, model: WorkerModel
    ) -> None:
        with pytest.raises(InputError, match="allow more tokens"):
            await model.decode([PROMPT], [walks()], Search(max_tokens=1))

    async def test_a_language_goes_by_reference_the_second_time(self, model: WorkerModel) -> None:
        for _ in range(2):
            await model.decode([PROMPT], [walks(hops=1)], Search(width=2))
        figures = model.worker_figures()
        assert (figures.by_value, figures.by_reference) == (1, 1)

    async def test_many_at_once_get_what_each_gets_alone(self, model: WorkerModel) -> None:
        languages = [walks(), walks(hops=1), walks(meets=True), walks(rendering="full")] * 4
        alone = [await model.decode([PROMPT], [one], Search(width=3)) for one in languages[:4]]
        together = await asyncio.gather(
            *(model.decode([PROMPT], [one], Search(width=3)) for one in languages)
        )
        for one, found in zip(alone * 4, together, strict=True):
            assert [s.text for s in one[0]] == [s.text for s in found[0]]

    async def test_it_is_ready(self, model: WorkerModel) -> None:
        await model.check()


async def decode_alike(
    model: WorkerModel,
    local: LocalModel,
    prompts: Sequence[Prompt],
    languages: Sequence[Any],
    search: Search,
) -> Sequence[Sequence[Sentence]]:
    """What the worker decodes, which has to be what the local engine does."""
    there = await model.decode(prompts, languages, search)
    here = await local.decode(prompts, languages, search)
    for one, other in zip(there, here, strict=True):
        check_alike(one, other)
    return there


def check_alike(there: Sequence[Sentence], here: Sequence[Sentence]) -> None:
    """Equal sentences in equal order, their scores but for what rounding may do."""
    assert [unscored(one) for one in there] == [unscored(one) for one in here]
    scores = [one.score for one in here]
    assert [one.score for one in there] == pytest.approx(scores, abs=1e-4)


def unscored(sentence: Sentence) -> dict[str, Any]:
    """A sentence without its score and support, which engines may round differently."""
    rounded = ("score", "support")
    return {name: value for name, value in asdict(sentence).items() if name not in rounded}
