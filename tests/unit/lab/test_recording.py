"""An app is asked the same thing once, and rules are switched off and on again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab.recording import Recording
from lab.rules import RULES
from trellis.automata.paths.adjacency import build_adjacency
from trellis.automata.paths.walks import Start, Walks
from trellis.domain.errors import QueryError
from trellis.pipelines import judging
from trellis.steps.align.answer_types import asked_kind


class Part:
    """Counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.size = 7

    def double(self, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        self.asked.append(rows)
        return 2 * rows

    def say(self, prompt: str, language: Walks) -> str:
        self.asked.append((prompt, language))
        return " ".join(language.neighbourhood.relation_types)

    async def fail(self, text: str) -> str:
        self.asked.append(text)
        raise QueryError(f"{text} fails", "write another")


def test_the_same_is_asked_once() -> None:
    part, recording = Part(), Recording()
    remembered = recording.remember("part", part)
    first, again = np.arange(2_000), np.arange(2_000)
    other = np.array([*first[:-1], 0])
    assert remembered.double(first).sum() == remembered.double(again).sum()
    assert remembered.double(other)[-1] == 0
    assert len(part.asked) == recording.heard == 2
    assert remembered.size == 7


def test_paths_of_two_neighbourhoods_are_asked_apart() -> None:
    """Those that a graph has, and those that its schema would allow, have one prompt."""
    part, recording = Part(), Recording()
    remembered = recording.remember("part", part)
    triples = ([(0, "BORDERS", 1)], [(0, "BORDERS", 1), (0, "RIVER", 1)], [(0, "BORDERS", 1)])
    hoods = [build_adjacency(["a", "b"], ["A", "B"], each) for each in triples]
    languages = [Walks(hood, [Start(" ENT1", (0,))], hops=1) for hood in hoods]
    said = [remembered.say("what borders A?", language) for language in languages]
    assert said == ["BORDERS", "BORDERS RIVER", "BORDERS"]
    assert len(part.asked) == 2


async def test_an_error_is_remembered_and_kept_in_a_file(tmp_path: Path) -> None:
    part, recording = Part(), Recording()
    for _ in range(2):
        with pytest.raises(QueryError, match="MATCH fails"):
            await recording.remember("part", part).fail("MATCH")
    assert part.asked == ["MATCH"]
    recording.write(tmp_path / "kept.gz")
    with pytest.raises(QueryError, match="MATCH fails"):
        await Recording.read(tmp_path / "kept.gz").remember("part", part).fail("MATCH")
    assert part.asked == ["MATCH"]


def test_a_rule_is_off_where_it_is_used_and_on_again_behind() -> None:
    rule = next(rule for rule in RULES if rule.name == "explain_no_time")
    real = asked_kind.explain_no_time
    with rule.switch_off():
        assert judging.explain_no_time is asked_kind.explain_no_time is not real
        assert judging.explain_no_time(None, [], "") == ""
    assert judging.explain_no_time is asked_kind.explain_no_time is real


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_is_there(rule: Any) -> None:
    with rule.switch_off():
        pass
