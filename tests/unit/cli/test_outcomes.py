"""The exit codes that tell how a question or a claim ended."""

from __future__ import annotations

import pytest

from trellis.cli.answering.outcomes import choose_answer_code, choose_claim_code
from trellis.domain.replies.reply import Reply
from trellis.wire.bodies import ReplyBody
from trellis.wire.claims import ClaimBody


@pytest.mark.parametrize(
    ("abstained", "verdict", "code"),
    [(False, None, 0), (False, "yes", 0), (False, "no", 4), (True, None, 3), (True, "no", 3)],
)
def test_an_answer_is_told_apart_from_none_and_from_no(
    abstained: bool, verdict: str | None, code: int
) -> None:
    body = ReplyBody.of("1", Reply("?", "gcr", (), (), 0.9, abstained))
    assert choose_answer_code(body.model_copy(update={"verdict": verdict})) == code


@pytest.mark.parametrize(
    ("verdict", "code"), [("supported", 0), ("refuted", 4), ("not_enough_evidence", 3)]
)
def test_a_verdict_is_told_by_its_code(verdict: str, code: int) -> None:
    told = {"id": "1", "claim": "It.", "confidence": 1, "evidence": [], "steps": []}
    body = ClaimBody.model_validate({**told, "verdict": verdict})
    assert choose_claim_code(body) == code
