"""How many questions that describe nodes are answered, on a graph of texts, beside its full-text
index alone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.figure import Figure, format_seconds, time_awaitable
from trellis.domain.graphs.texts import TextSearch
from trellis.domain.ports import Graph
from trellis.domain.replies.question import Question
from trellis.evaluation.metrics import AnswerMetrics, mean, percentile, score_answers
from trellis.settings import Settings
from trellis.wiring.assemble import assemble_app

_QUESTIONS = Path(__file__).parent / "made" / "library_questions.jsonl"
_METHOD = "graphraft"
_SHOWN = 20  # answers


def read_library_questions() -> list[str]:
    """Questions about the graph of `made.library_graph`, of four kinds: `text` (a description
    alone), `both` (and a relation to a name), `structure`, `none` (no answer)."""
    return _QUESTIONS.read_text(encoding="utf-8").splitlines()


@dataclass(frozen=True, slots=True)
class _Scored:
    ours: AnswerMetrics
    words: AnswerMetrics
    is_silent: bool
    seconds: float


async def measure_described(settings: Settings, questions: Sequence[str]) -> list[Figure]:
    """A figure for each kind of question; where there is no answer, the share held back.

    `questions`: JSON texts, each with `question`, `kind` and the names in `answers`.
    """
    scored: dict[str, list[_Scored]] = defaultdict(list)
    async with assemble_app(settings) as trellis_app:
        await trellis_app.prepare_store()
        for line in questions:
            row = json.loads(line)
            asked = Question(row["question"], limit=_SHOWN)
            reply, took = await time_awaitable(trellis_app.answer(asked, _METHOD))
            given = [answer.node.name for answer in reply.answers]
            found = await _search_words(trellis_app.graph, row["question"])
            pair = score_answers(given, row["answers"]), score_answers(found, row["answers"])
            scored[row["kind"]].append(_Scored(*pair, reply.abstained, took))
    figures = [_build_figure(kind, some) for kind, some in scored.items()]
    seconds = [each.seconds for some in scored.values() for each in some]
    half, worst = percentile(seconds, 0.5) or 0.0, percentile(seconds, 0.95) or 0.0
    times = f"{format_seconds([half])}, 95 % within {format_seconds([worst])}"
    return [*figures, Figure("described, a question", times)]


async def _search_words(graph: Graph, question: str) -> list[str]:
    found = await graph.search_texts(TextSearch(question, None, limit=_SHOWN))
    return [each.node.name for each in sorted(found, key=lambda each: -each.words)]


def _build_figure(kind: str, scored: Sequence[_Scored]) -> Figure:
    name = f"described, {kind} ({len(scored)})"
    if kind == "none":
        return Figure(name, f"{mean([each.is_silent for each in scored]):.0%} held back", "0%")
    ours, words = ([getattr(s, of) for s in scored] for of in ("ours", "words"))
    return Figure(name, _tell_metrics(ours), _tell_metrics(words))


def _tell_metrics(metrics: Sequence[AnswerMetrics]) -> str:
    shares = {
        "Hit@1": mean([each.hits_at_1 for each in metrics]),
        "Hit@5": mean([each.hits_at_5 for each in metrics]),
        "R@20": mean([each.recall_at_20 for each in metrics]),
    }
    return ", ".join(f"{name} {share or 0:.0%}" for name, share in shares.items())
