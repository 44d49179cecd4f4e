"""Describe paths: say in plain English which walks a sentence of the KG-Trie means.

The text is made of the path alone, never of the question: `the capital of the country that Mombasa
is in`. A step against its relationship is `what flows through Switzerland`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trellis.domain.graphs.graph import NodeId, PathQuery, RelationPath
from trellis.domain.graphs.links import Mention
from trellis.domain.replies.reply import Finding
from trellis.steps.describe.describe_steps import describe_meeting, describe_walk, join_meeting
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
    if len(query.paths) == 1:
        return _describe_path(query.paths[0], names)
    if any(any(_name_ends(path, names)) for path in query.paths):
        return join_meeting([_describe_path(path, names) for path in query.paths])
    starts = [_name_start(path, names) for path in query.paths]
    return describe_meeting(starts, [path.steps for path in query.paths])


def _describe_path(path: RelationPath, names: Mapping[NodeId, str]) -> str:
    """One path, with the nodes that its steps must end in."""
    return describe_walk(_name_start(path, names), path.steps, _name_ends(path, names))


def _name_ends(path: RelationPath, names: Mapping[NodeId, str]) -> list[str]:
    """The names of the nodes that all steps but the last must end in."""
    return [_list_names(nodes, names) for nodes in path.nodes[: len(path.steps) - 1]]


def _name_start(path: RelationPath, names: Mapping[NodeId, str]) -> str:
    return _list_names(path.anchors, names) or "a node without a name"


def _list_names(nodes: Sequence[NodeId], names: Mapping[NodeId, str]) -> str:
    known = list(dict.fromkeys(quote_text(names[node]) for node in nodes if node in names))
    return join_phrases(known, "or") if known else ""
