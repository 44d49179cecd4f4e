"""A reasoning model behind an OpenAI-compatible address: it answers from numbered facts alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from openai import AsyncOpenAI, OpenAIError
from pydantic import BaseModel, Field, ValidationError

from trellis.domain.errors import ReasonerError
from trellis.domain.ports import Finding, Judgement
from trellis.domain.text import name_key
from trellis.domain.values import Answer, Walk
from trellis.steps.reason import Candidate, candidates, told

INSTRUCTIONS = (
    "You answer questions from numbered facts of a graph, and from nothing else. "
    "Answer with names exactly as they stand in the facts. For each answer cite the numbers of "
    "the facts that show it. Give every answer that the facts show to be right, the surest first. "
    "If the facts do not answer the question, give no answers. "
    "`sentence` words the answer in one sentence."
)


class Cited(BaseModel):
    """One answer, and the numbers of the facts that show it (from 1)."""

    name: str
    facts: list[int]


class Verdict(BaseModel):
    """What the reasoning model must write."""

    answers: list[Cited]
    sentence: str = Field(default="")


@dataclass(frozen=True, slots=True)
class HostedReasoner:
    """Reasoner port over an OpenAI-compatible chat endpoint; `rows` facts are shown at most."""

    client: AsyncOpenAI
    model: str
    rows: int = 200

    async def judge(
        self, question: str, findings: Sequence[Finding], evidence: Sequence[Walk]
    ) -> Judgement:
        """Answers that are findings' nodes and cited from facts that hold them; ReasonerError."""
        shown = evidence[: self.rows]
        verdict = await self._ask(prompt(question, findings, shown))
        found = candidates(findings, evidence)
        answers = cited_answers(verdict, found, shown)
        confidence = max((answer.score for answer in answers), default=0.0)
        return Judgement(answers, confidence, verdict.sentence or None)

    async def _ask(self, text: str) -> Verdict:
        remedy = "check TRELLIS_REASONER_URL, TRELLIS_REASONER_MODEL and TRELLIS_REASONER_KEY"
        try:
            done = await self.client.chat.completions.create(
                model=self.model,
                messages=[
                    {"role": "system", "content": INSTRUCTIONS},
                    {"role": "user", "content": text},
                ],
                temperature=0,
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": "verdict", "schema": Verdict.model_json_schema()},
                },
            )
            return Verdict.model_validate_json(done.choices[0].message.content or "")
        except OpenAIError as error:
            raise ReasonerError(
                f"the reasoner at {self.client.base_url}: {error}", remedy
            ) from error
        except (ValidationError, IndexError, TypeError) as error:
            raise ReasonerError("the reasoner did not write the JSON asked for", remedy) from error


def prompt(question: str, findings: Sequence[Finding], evidence: Sequence[Walk]) -> str:
    """The numbered facts, the readings they come from, and the question (quoted as JSON)."""
    facts = "\n".join(
        f"[{number}] {' '.join(told(walk).split())}" for number, walk in enumerate(evidence, 1)
    )
    readings = "\n".join(
        f"- {finding.text} (probability {finding.probability:.2f}, {len(finding.reached)} nodes)"
        for finding in findings
    )
    quoted = json.dumps(question, ensure_ascii=False)
    return f"Facts:\n{facts}\n\nWhere they come from:\n{readings}\n\nQuestion: {quoted}"


def cited_answers(
    verdict: Verdict, found: Sequence[Candidate], shown: Sequence[Walk]
) -> tuple[Answer, ...]:
    """The verdict's answers as nodes; what is not cited, or not in the facts cited, is dropped."""
    named: dict[str, list[Candidate]] = {}
    for candidate in found:
        named.setdefault(name_key(candidate.node.name), []).append(candidate)
    answers: dict[str, Answer] = {}
    for cited in verdict.answers:
        rows = [number - 1 for number in cited.facts if 0 < number <= len(shown)]
        for candidate in named.get(name_key(cited.name), ()):
            holding = tuple(row for row in rows if candidate.node in shown[row].nodes)
            if holding:
                answer = Answer(candidate.node, candidate.belief, holding)
                answers.setdefault(candidate.node.id, answer)
    return tuple(answers.values())
