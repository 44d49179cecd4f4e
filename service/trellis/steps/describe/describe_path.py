"""Describe paths: say in plain English which walks a sentence of the KG-Trie means.

The text is made of the path alone, never of the question: `from Mombasa: in country, then has
capital`. A step against its relationship is `what flows through it`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trellis.domain.graph import NodeId, PathQuery, RelationPath
from trellis.domain.links import Mention
from trellis.domain.reply import Finding
from trellis.steps.describe.describe_steps import describe_step
from trellis.steps.describe.phrases import join_phrases, quote_text


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
        f"{describe_step(step)}{f' ({end})' if end else ''}"
        for step, end in zip(path.steps, ends, strict=False)
    ]
    anchor = _list_names(path.anchors, names)
    return f"from {anchor or 'a node without a name'}: {', then '.join(steps) or 'itself'}"


def _list_names(nodes: Sequence[NodeId], names: Mapping[NodeId, str]) -> str:
    known = list(dict.fromkeys(quote_text(names[node]) for node in nodes if node in names))
    return join_phrases(known, "or") if known else ""
