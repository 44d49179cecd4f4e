"""Examples that language models are trained on: a prompt, and the segments of its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trellis.automata.chains.language import AGAIN, END, JOIN
from trellis.automata.paths.segments import step_text
from trellis.domain.graphs.graph import Step
from trellis.domain.models.prompt import Prompt
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    PatternTriple,
    QuestionPattern,
    UnknownNode,
)
from trellis.steps.link.mask_mentions import mention_placeholder


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt and the sentence that should follow it; `weight` scales its loss."""

    prompt: Prompt
    segments: tuple[str, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class MentionPath:
    """A relation path from the anchor of mention `mention` (from 0, in order of spans)."""

    mention: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class PathExample:
    """A question whose mentions are masked, and the paths that meet in what it asks for, whatever
    a task says of them; `weight` scales its loss."""

    question: str
    paths: tuple[MentionPath, ...]
    weight: float = 1.0

    @property
    def triple_count(self) -> int:
        """How many steps its paths have together."""
        return sum(len(path.steps) for path in self.paths)


def path_segments(paths: Sequence[MentionPath]) -> tuple[str, ...]:
    """The sentence of one path, or of several that meet: segments as language `walks` says them."""
    said: list[str] = []
    for path in sorted(paths, key=lambda path: path.mention):
        start = f" {mention_placeholder(path.mention)}"
        said += [f" &{start}" if said else start, *map(step_text, path.steps)]
    return tuple(said)


def chain_segments(paths: Sequence[MentionPath]) -> tuple[str, ...]:
    """The sentence of one path, or of several that meet: segments as language `chains` says them
    where nodes stay sets."""
    said: list[str] = []
    for path in sorted(paths, key=lambda path: path.mention):
        start = f" {mention_placeholder(path.mention)}"
        steps = list(map(step_text, path.steps))
        if not said:
            said, meeting = [start, *steps], len(steps)
        else:
            said += [f"{AGAIN}{start}", *steps, f"{JOIN} X{meeting}"]
    return (*said, END)


def relation_segments(relations: Iterable[str]) -> list[str]:
    """The segments of a graph's relations, walked either way."""
    return [step_text(Step(name, back)) for name in relations for back in (False, True)]


def build_path_pattern(paths: Sequence[MentionPath]) -> QuestionPattern:
    """The pattern of paths that meet in what is asked for; their other nodes are all different."""
    nodes: list[PatternNode] = [UnknownNode(0, is_asked=True)]
    triples: list[PatternTriple] = []
    for path in paths:
        nodes.append(MentionNode(path.mention))
        at = len(nodes) - 1
        for number, step in enumerate(path.steps, 1):
            is_last = number == len(path.steps)
            if not is_last:
                nodes.append(UnknownNode(sum(isinstance(n, UnknownNode) for n in nodes)))
            other = 0 if is_last else len(nodes) - 1
            head, tail = (other, at) if step.reversed else (at, other)
            triples.append(PatternTriple(head, step.relation, tail))
            at = other
    return QuestionPattern(tuple(nodes), tuple(triples))
