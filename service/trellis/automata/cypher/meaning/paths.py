"""Joins the relationships of a clause into paths, in both renderings of a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from trellis.automata.cypher.meaning.query import QueryEdge


def join_paths(
    edges: Iterable[QueryEdge],
    render_node: Callable[[int], str],
    render_edge: Callable[[QueryEdge], str],
) -> str:
    """The paths of a clause, set apart by commas: an edge goes on where the last one ended.

    `render_node` writes the node with that index in brackets, `render_edge` what stands between
    two nodes; an edge without a type is a node alone.
    """
    paths: list[str] = []
    last = -1
    for edge in edges:
        if not edge.type:
            paths.append(render_node(edge.target))
        else:
            if edge.source != last:
                paths.append(render_node(edge.source))
            paths[-1] += render_edge(edge) + render_node(edge.target)
        last = edge.target
    return ", ".join(paths)
