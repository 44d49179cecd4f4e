"""The exit codes by which `ask` and `verify` tell how they ended, where `--exit-code` is given."""

from __future__ import annotations

from typing import Annotated

import typer

from trellis.wire.bodies import ReplyBody
from trellis.wire.claims import ClaimBody

ANSWERED = 0
"""Something is claimed: there is an answer, or the claim is supported."""

OPEN = 3
"""Nothing is claimed: the answer is held back, or nothing was found; the claim stays open."""

REFUTED = 4
"""The answer is no, or the claim is refuted."""

ExitCodeOption = Annotated[
    bool,
    typer.Option(
        "--exit-code",
        help="Exit with 0 where something is claimed, 3 where nothing is, 4 where it is refuted.",
        rich_help_panel="Output",
    ),
]


def choose_answer_code(answer: ReplyBody) -> int:
    """The code of an answer."""
    if answer.abstained:
        return OPEN
    return REFUTED if answer.verdict == "no" else ANSWERED


def choose_claim_code(verdict: ClaimBody) -> int:
    """The code of a verdict on a claim."""
    return {"supported": ANSWERED, "refuted": REFUTED}.get(verdict.verdict, OPEN)
