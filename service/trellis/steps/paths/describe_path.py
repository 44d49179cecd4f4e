"""Describe paths: say in plain English which walks a sentence of the KG-Trie means.

The text is made of the path alone, never of the question: `from Mombasa: in country, then has
capital`. A step against its relationship is `what flows through it`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trellis.domain.graph import NodeId, PathQuery, RelationPath, Step
from trellis.domain.links import Mention
from trellis.domain.reply import Finding
from trellis.domain.sentences import relation_words
from trellis.steps.shared.phrases import RelationPhrase, join_phrases, quote_text

_PREPOSITIONS = frozenset(
    [
        "about",
        "after",
        "against",
        "along",
        "around",
        "at",
        "before",
        "behind",
        "below",
        "beside",
        "between",
        "by",
        "during",
        "for",
        "from",
        "in",
        "inside",
        "into",
        "near",
        "of",
        "off",
        "on",
        "onto",
        "over",
        "past",
        "through",
        "to",
        "toward",
        "under",
        "until",
        "upon",
        "with",
    ]
)


def describe_paths(meanings: Sequence[PathQuery], names: Mapping[NodeId, str]) -> str:
    """All that one sentence means, in plain English; empty where it means nothing.

    `names`: the names of nodes by id; nodes without one are left out.
    """
    return ", or ".join(dict.fromkeys(_describe_query(query, names) for query in meanings))


def collect_names(mentions: Sequence[Mention], findings: Sequence[Finding]) -> dict[NodeId, str]:
    """The names of the nodes that were linked, and of those that paths come through."""
    names = {link.node.id: link.node.name for mention in mentions for link in mention.links}
    for finding in findings:
        for grounded in finding.nodes:
            names |= {node.id: node.name for fact in grounded.facts for node in fact.nodes}
    return names


def _describe_query(query: PathQuery, names: Mapping[NodeId, str]) -> str:
    paths = [_describe_path(path, names) for path in query.paths]
    if len(paths) == 1:
        return paths[0]
    return f"what {'both' if len(paths) == 2 else 'all'} reach: {'; '.join(paths)}"


def _describe_path(path: RelationPath, names: Mapping[NodeId, str]) -> str:
    """One path: its beginning, then its steps, with the nodes that a step must end in."""
    inner = path.nodes[: len(path.steps) - 1]
    ends = [_list_names(nodes, names) for nodes in inner] + [""] * len(path.steps)
    steps = [
        f"{_describe_step(step)}{f' ({end})' if end else ''}"
        for step, end in zip(path.steps, ends, strict=False)
    ]
    anchor = _list_names(path.anchors, names)
    return f"from {anchor or 'a node without a name'}: {', then '.join(steps) or 'itself'}"


def _list_names(nodes: Sequence[NodeId], names: Mapping[NodeId, str]) -> str:
    known = list(dict.fromkeys(quote_text(names[node]) for node in nodes if node in names))
    return join_phrases(known, "or") if known else ""


def _describe_step(step: Step) -> str:
    """`has capital`; against the relationship `what has it as capital`."""
    words = " ".join(relation_words(step.relation)) or step.relation
    if not step.reversed:
        return words
    phrase = RelationPhrase.of(words)
    if phrase.kind != "has":
        *first, last = phrase.write_predicate("", is_plural=False).split()
        is_open = last in _PREPOSITIONS or not first  # the node stands behind it
        return f"what {' '.join((*first, last))} it" if is_open else _insert_node(first, last)
    noun = " ".join(phrase.words)
    return f"what has it as {noun}" if words != noun else f"what it is the {noun} of"


def _insert_node(first: Sequence[str], noun: str) -> str:
    """`what is in it as country`, `what uses it as currency`."""
    return f"what {' '.join(first)} it as {noun}"
