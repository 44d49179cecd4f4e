"""Tell a choice: what decided among methods, in plain English."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.steps.choose.fuse_replies import FusedReply


def tell_choice(
    fused: FusedReply, asked: Sequence[str], *, is_given: bool, cut_short: bool = False
) -> str:
    """Why this reply is given; `is_given`: whether it claims something in the end; `cut_short`:
    whether further methods were not asked because others wait."""
    told = _tell_reason(fused, asked, is_given=is_given, cut_short=cut_short)
    return f"{told}; no further method was asked, as others wait" if cut_short else told


def _tell_reason(
    fused: FusedReply, asked: Sequence[str], *, is_given: bool, cut_short: bool
) -> str:
    name = fused.reply.method
    if fused.reply.held_back:
        return f"nothing was chosen: what {name} found does not answer the question"
    if not is_given:
        return f"nothing was chosen: {_tell_silence(fused, asked)}"
    if len(asked) == 1 and fused.reply.says_operators:
        return f"chosen: {name}, the only method that can count, compare and exclude"
    if len(asked) == 1 and cut_short:
        return f"chosen: {name}"
    if len(asked) == 1:
        return f"chosen: {name}, which was confident enough that no other method was asked"
    text = f"chosen: {name}, the most confident"
    if fused.agreeing:
        text = f"chosen: {name}; {_join(fused.agreeing)} found the same"
    if fused.contradicting:
        text += f"; {_join(fused.contradicting)} found something else with less confidence"
    return text


def _tell_silence(fused: FusedReply, asked: Sequence[str]) -> str:
    if fused.contradicting:
        return f"{fused.reply.method} and {_join(fused.contradicting)} contradict one another"
    return (
        "no method was confident enough"
        if len(asked) > 1
        else f"{asked[0]} was not confident enough"
    )


def _join(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
