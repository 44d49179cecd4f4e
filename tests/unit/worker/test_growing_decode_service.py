"""The worker's own service and searches over chains that grow, on an engine in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chain_worlds import chain_world
from trellis.automata.chains.pausing import pause_after
from trellis.automata.codec import encode_language, language_hash
from trellis.automata.codec.chains import encode_growths
from trellis.automata.one_of import OneOf
from trellis.automata.tokens.masks import Mask, unpack_mask
from trellis.automata.tokens.vocabulary import Tokens
from trellis.domain.errors import CodecError, InputError, TooLargeError, TrellisError
from trellis.domain.models.decoding import Search, Sentence
from trellis.engines.cached_scorer import CachedScorer
from trellis.engines.local import LocalModel
from trellis.engines.workers.replica import DecodeCall
from trellis.settings import BUNDLED_MODEL
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.wire.decoding import DecodeBody
from trellis.worker.decode_service import DecodeService
from trellis.worker.engine import Completion, TopTokens
from trellis.worker.languages import LanguageCache

PROMPT = build_masked_path_prompt("what is the capital of ENT1?")


class LocalEngine:
    """An Engine that reads the whole prompt for each token."""

    top_limit = 500

    def __init__(self, model: LocalModel) -> None:
        self._scorer = CachedScorer(model.weights)

    async def find_top_tokens(
        self, prompt: Tokens, mask: Mask, count: int, temperature: float, alphabet: Mask | None
    ) -> TopTokens:
        allowed = unpack_mask(mask).astype(np.intp)
        self._scorer.begin([prompt])
        logits = self._scorer.read_logits(np.zeros(len(allowed), np.intp), allowed)
        scaled = logits.astype(np.float64) / temperature
        allowed_mass = float(np.logaddexp.reduce(scaled))
        scores = np.minimum(scaled - allowed_mass, 0.0)
        best = np.argsort(-scores, kind="stable")[:count]
        told = None if alphabet is None else unpack_mask(alphabet).astype(np.intp)
        [total] = self._scorer.measure_mass(np.zeros(1, np.intp), told, temperature)
        share = min(float(allowed_mass - total), 0.0)
        return TopTokens(allowed[best].astype(np.int32), scores[best], share)

    async def write_completions(self, *arguments: Any) -> Sequence[Completion]:
        raise AssertionError(f"chains are searched for: {arguments}")


@pytest.fixture(scope="module")
def local() -> LocalModel:
    return LocalModel.load(BUNDLED_MODEL, "cpu", Path("unused"))


@pytest.fixture
async def decode_service(local: LocalModel) -> AsyncIterator[DecodeService]:
    cache = LanguageCache(local.vocabulary, size_limit=100_000)
    engines = {"": LocalEngine(local)}
    opened = DecodeService(
        engines, local.vocabulary, cache, turns=2, waiting=2, is_broken=lambda: False
    )
    yield opened
    opened.close()


def make_body(
    local: LocalModel, language: Any, parts: int, begun: Sequence[Sentence]
) -> DecodeBody:
    """What the service sends; as it arrives."""
    data = encode_language(language.base)
    call = DecodeCall(
        local.vocabulary.encode(PROMPT.render()),
        data,
        language_hash(data),
        Search(width=3),
        local.vocabulary.fingerprint,
        asyncio.get_running_loop().time() + 60,
        growth=encode_growths(language),
        parts=parts,
        begun=begun,
    )
    sent = call.build_body(call.send_language()).model_dump_json(exclude_none=True)
    return DecodeBody.model_validate_json(sent)


@pytest.mark.parametrize("seed", range(8))
async def test_parts_are_those_of_the_local_engine(
    decode_service: DecodeService, local: LocalModel, seed: int
) -> None:
    world = chain_world(seed, most_triples=3)
    language: Any = world.open(hops=1)
    begun: list[Sentence] = []
    for parts in (1, 2, 3):
        if language.is_empty():
            return
        pausing = pause_after(language, parts)
        here = await local.extend_sentences(PROMPT, pausing, begun, Search(width=3))
        body = make_body(local, language, parts, begun)
        _, there = await decode_service.decode(body, lambda _: None)
        assert [each.tokens for each in there] == [each.tokens for each in here]
        assert [each.score for each in there] == pytest.approx([e.score for e in here], abs=1e-4)
        begun = [each for each in here if not each.values[0].has_ended]
        if not begun:
            return
        if needed := tuple({node for each in begun for v in each.values for node in v.needs}):
            language = world.grow(language, needed)


async def refuse(
    decode_service: DecodeService, body: DecodeBody, error: type[TrellisError], says: str
) -> None:
    with pytest.raises(error, match=says):
        await decode_service.decode(body, lambda _: None)


async def test_what_does_not_fit_is_refused(
    decode_service: DecodeService, local: LocalModel
) -> None:
    world = chain_world(3, most_triples=3, rendering="relations")
    body = make_body(local, world.open(hops=1), 1, ())

    def changed(**more: Any) -> DecodeBody:
        language = {key: more.pop(key) for key in ("growth", "data") if key in more}
        kept = body.language.model_copy(update=language)
        return body.model_copy(update={"language": kept, **more})

    await refuse(decode_service, changed(growth=[b"nonsense"]), CodecError, "not of this kind")
    await refuse(
        decode_service, changed(growth=[b"x" * 200_000]), TooLargeError, "growth of 200,000 bytes"
    )
    await refuse(
        decode_service, changed(growth=[b"x"], parts=None), InputError, "growth without parts"
    )
    other = encode_language(OneOf([" a", " b"]))
    await refuse(decode_service, changed(data=other), InputError, "does not grow")
    alien = Sentence("", (5, 6), (), -1.0, 1)
    begun = make_body(local, world.open(hops=1), 1, [alien]).begun
    await refuse(decode_service, changed(begun=begun), InputError, "not in the language")
    greedy = body.search.model_copy(update={"mode": "greedy"})
    await refuse(decode_service, changed(search=greedy), InputError, "plain beams")
