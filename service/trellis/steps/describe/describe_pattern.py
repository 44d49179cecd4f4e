"""Describe patterns: say in plain English what a pattern asks for, as the graph takes it.

The text is made of the pattern alone, never of the question. Walks that lead to the answer are said
as paths are: `the capital of the country that Mombasa is in`. Other patterns are said by what
holds in them: `the answer, where France borders A and A has as capital the answer`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trellis.domain.graphs.graph import NodeId, Step
from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.identifiers import split_identifier
from trellis.domain.replies.reply import CandidateOutcome
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternTriple,
    QuestionPattern,
    UnknownNode,
)
from trellis.steps.describe.describe_steps import describe_meeting, describe_walk
from trellis.steps.describe.phrases import RelationPhrase, join_phrases, quote_text
from trellis.steps.retrieve.patterns.located_patterns import LocatedPattern

_ANSWER = "the answer"
_MOST_TRIED = 3  # readings that are told where none gives an answer


def describe_located_pattern(located: LocatedPattern, mentions: Sequence[Mention]) -> str:
    """What a located pattern asks for, or states."""
    names = {link.node.id: link.node.name for mention in mentions for link in mention.links}
    called = [
        _name_nodes(ids, names) if ids is not None else _call_unknown(located.pattern, i)
        for i, ids in enumerate(located.anchors)
    ]
    return _describe(located.pattern, located.steps, called)


def describe_pattern(pattern: QuestionPattern, mentions: Sequence[Mention]) -> str:
    """The same for a pattern that was not located, in its own words."""
    called = [
        quote_text(mentions[node.index].best.node.name)
        if isinstance(node, MentionNode)
        else _call_unknown(pattern, i)
        for i, node in enumerate(pattern.nodes)
    ]
    steps = [Step(triple.relation) for triple in pattern.triples]
    return _describe(pattern, steps, called)


def describe_approximation(located: LocatedPattern) -> str:
    """Which words of a pattern were taken for which types, and how far these are; empty where it
    names all of them itself."""
    pairs = zip(located.pattern.triples, located.steps, strict=True)
    taken = {triple.relation: step.relation for triple, step in pairs}
    other = [f"“{said}” for {name}" for said, name in taken.items() if said != name]
    if not other or not located.surplus:
        return ""
    return f"the question's words were taken, at distance {located.surplus:.2f}: {', '.join(other)}"


def describe_failure(candidates: Sequence[CandidateOutcome]) -> str:
    """Why none of some candidates gives an answer, with what was tried."""
    problems = [tried.problem for tried in candidates if tried.problem]
    if problems:
        return f"what was found could not be read from the graph: {problems[0]}"
    readings = dict.fromkeys(tried.reading for tried in candidates)
    if not readings:
        return "no pattern was written that could be looked for"
    return f"no subgraph of the graph is like: {' | '.join(list(readings)[:_MOST_TRIED])}"


def _describe(pattern: QuestionPattern, steps: Sequence[Step], called: Sequence[str]) -> str:
    walks = list(_iterate_walks(pattern, steps))
    if sum(len(walk) for _, walk in walks) == len(steps):
        starts = [called[start] for start, _ in walks]
        kind = _find_kind(pattern)
        ending = f", which is {kind}" if kind else ""
        if len(walks) == 1:
            return f"{describe_walk(starts[0], walks[0][1])}{ending}"
        return f"{describe_meeting(starts, [walk for _, walk in walks])}{ending}"
    pairs = zip(pattern.triples, steps, strict=True)
    facts = join_phrases([_state_triple(triple, step, called) for triple, step in pairs])
    return f"{_ANSWER}, where {facts}" if pattern.asked is not None else facts


def _iterate_walks(
    pattern: QuestionPattern, steps: Sequence[Step]
) -> Iterator[tuple[int, list[Step]]]:
    """The walks from mentions to the asked node, on which no other triple touches a node.

    They are all of the pattern if they have as many steps as it has triples.
    """
    if pattern.asked is None:
        return
    for first, triple in enumerate(pattern.triples):
        for start in (triple.head, triple.tail):
            if _list_triples(pattern, start) == [first] and isinstance(
                pattern.nodes[start], MentionNode
            ):
                walk = _follow_walk(pattern, steps, start)
                if walk:
                    yield start, walk


def _follow_walk(pattern: QuestionPattern, steps: Sequence[Step], start: int) -> list[Step]:
    """The steps of the walk from a node to the asked one; empty where it ends elsewhere."""
    walk: list[Step] = []
    at, used = start, set[int]()
    while at != pattern.asked:
        onward = [i for i in _list_triples(pattern, at) if i not in used]
        is_named = isinstance(pattern.nodes[at], UnknownNode) and _get_kind(pattern, at)
        if len(onward) != 1 or is_named:
            return []
        [i] = onward
        used.add(i)
        triple = pattern.triples[i]
        leaves = triple.head == at
        walk.append(Step(steps[i].relation, steps[i].reversed == leaves))
        at = triple.tail if leaves else triple.head
    return walk


def _list_triples(pattern: QuestionPattern, node: int) -> list[int]:
    return [i for i, t in enumerate(pattern.triples) if node in (t.head, t.tail)]


def _state_triple(triple: PatternTriple, step: Step, called: Sequence[str]) -> str:
    head, tail = called[triple.head], called[triple.tail]
    if step.reversed:
        head, tail = tail, head
    phrase = RelationPhrase.of(" ".join(relation_words(step.relation)) or step.relation)
    return f"{head} {phrase.write_predicate('', is_plural=False)} {tail}"


def _name_nodes(ids: Sequence[NodeId], names: Mapping[NodeId, str]) -> str:
    known = list(dict.fromkeys(quote_text(names[id]) for id in ids if id in names))
    return join_phrases(known, "or") if known else "a node without a name"


def _call_unknown(pattern: QuestionPattern, index: int) -> str:
    """`the answer`, or `A`, with the kind: `the answer (a film)` where it is first said."""
    node = pattern.nodes[index]
    if isinstance(node, MentionNode) or node.is_asked:
        return _ANSWER
    kind = _get_kind(pattern, index)
    letter = chr(ord("A") + (node.number - 1) % 26)
    return f"{kind} {letter}" if kind else letter


def _find_kind(pattern: QuestionPattern) -> str:
    """The kind of the asked node with its article."""
    kind = "" if pattern.asked is None else _get_kind(pattern, pattern.asked)
    return f"{'an' if kind[:1] in tuple('aeiou') else 'a'} {kind}" if kind else ""


def _get_kind(pattern: QuestionPattern, index: int) -> str:
    node = pattern.nodes[index]
    if isinstance(node, MentionNode):
        return ""
    return " ".join(split_identifier(node.kind)) or node.kind
