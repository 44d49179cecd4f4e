"""Tell a choice: what decided among methods, in plain English."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.steps.choose.fuse_replies import FusedReply


def tell_choice(fused: FusedReply, asked: Sequence[str], *, is_given: bool) -> str:
    """Why this reply is given; `is_given`: whether it claims something in the end."""
    name = fused.reply.method
    if fused.reply.held_back:
        return f"{name} says why what it found is no answer"
    if not is_given:
        return _tell_silence(fused, asked)
    if len(asked) == 1 and fused.reply.says_operators:
        return f"{name} says more than relations, which no other method can"
    if len(asked) == 1:
        return f"{name} was sure enough to be asked alone"
    said = [f"{_join(fused.agreeing)} found the same" if fused.agreeing else f"{name} was surest"]
    if fused.contradicting:
        said.append(f"{_join(fused.contradicting)} found something else and was less sure")
    return f"{name} is believed: {'; '.join(said)}"


def _tell_silence(fused: FusedReply, asked: Sequence[str]) -> str:
    if fused.contradicting:
        return f"{fused.reply.method} and {_join(fused.contradicting)} contradict one another"
    return f"none of {_join(asked)} was sure enough" if len(asked) > 1 else "it was not sure enough"


def _join(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
