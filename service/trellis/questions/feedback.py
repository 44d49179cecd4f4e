"""From people's feedback on answers to rows of a question file.

What somebody called right, or named as what would have been right, is gold; so is the query or the
path of an answer that was right. Of several judgements of one question the last one counts; a wrong
answer without a right one beside it tells nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

from trellis.domain.replies.claims import ClaimVerdict
from trellis.linking.text import name_key
from trellis.questions.kept_paths import find_answering_paths
from trellis.questions.writing import write_whole
from trellis.store.tables import AnswerRow, FeedbackRow

FeedbackKind = Literal["training", "regression"]
"""What rows are for: `training` needs answers to learn, `regression` also keeps that there are
none."""

Judgement = tuple[AnswerRow, FeedbackRow]


@dataclass(frozen=True, slots=True)
class FeedbackRows:
    """Rows of a question file, as JSON, and how many judged questions gave none."""

    rows: Sequence[dict[str, Any]]
    untold: int


def list_feedback_rows(judgements: Iterable[Judgement], kind: FeedbackKind) -> FeedbackRows:
    """A row for each question whose right answer is known; `judgements`: the oldest first."""
    last: dict[str, Judgement] = {}
    for answer, said in judgements:
        key = build_question_key(answer)
        last.pop(key, None)
        last[key] = (answer, said)
    rows = [build_judged_row(answer, said) for answer, said in last.values()]
    told = [row for row in rows if row is not None]
    useful = [row for row in told if kind == "regression" or row.get("answers") != []]
    return FeedbackRows(useful, len(rows) - len(useful))


def write_rows(rows: Sequence[dict[str, Any]], file: Path) -> None:
    """Write rows as JSON lines, whole or not at all; ServiceError if that cannot be done."""
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    write_whole(text, file)


def build_question_key(answer: AnswerRow) -> str:
    """Equal for answers to one question."""
    return name_key(_get_text(answer))


def _get_text(answer: AnswerRow) -> str:
    """What was asked: the whole question of a follow-up."""
    return str(answer.body.get("asked") or answer.question)


def build_judged_row(answer: AnswerRow, said: FeedbackRow) -> dict[str, Any] | None:
    """The row of one judgement; None where what is right is not told."""
    text = _get_text(answer)
    id = f"feedback/{sha256(name_key(text).encode()).hexdigest()[:12]}"
    if "claim" in answer.body:
        return _build_claim_row(id, text, answer.body, said)
    if not said.right and not said.expected:
        return None
    given = [each["name"] for each in answer.body.get("answers", ())]
    row: dict[str, Any] = {"id": id, "question": text}
    if topics := _list_topics(answer.body):
        row["topics"] = topics
    row["answers"] = list(said.expected) or given
    return {**row, **_list_meaning(answer.body)} if said.right else row


def _list_meaning(body: dict[str, Any]) -> dict[str, Any]:
    """What a right answer was read from: its query, else the paths that gave it, where it was read
    from nothing else."""
    if body.get("abstained"):
        return {}
    if body.get("cypher"):
        params = body.get("params") or {}
        single = {k: value for k, value in params.items() if not isinstance(value, list | dict)}
        return {"cypher": body["cypher"], "params": single}
    paths = find_answering_paths(body)
    return {"paths": paths} if paths else {}


def _build_claim_row(
    id: str, claim: str, body: dict[str, Any], said: FeedbackRow
) -> dict[str, Any] | None:
    """The row of a claim: its verdict where that was right, else the one that is named."""
    named = [name for name in said.expected if name in get_args(ClaimVerdict)]
    label = named[0] if named else body["verdict"] if said.right else None
    return None if label is None else {"id": id, "claim": claim, "label": label}


def _list_topics(body: dict[str, Any]) -> list[str]:
    """The nodes that the names of the question were linked to; none where values were."""
    best = [mention["links"][0] for mention in body.get("mentions", ()) if mention["links"]]
    names = [link["name"] for link in best if link["id"]]
    return list(dict.fromkeys(names)) if len(names) == len(best) else []
