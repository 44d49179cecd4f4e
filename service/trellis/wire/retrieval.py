"""What `POST /v1/links`, `GET /v1/names` and `POST /v1/retrieve/paths` answer."""

from __future__ import annotations

from pydantic import BaseModel

from trellis.wire.bodies import MentionBody
from trellis.wire.evidence import NodeBody, TripleBody


class MentionsBody(BaseModel):
    """The mentions found, in the order of the text, none overlapping."""

    mentions: list[MentionBody]


class NamesBody(BaseModel):
    """Nodes whose names begin as was asked, the shortest names first."""

    names: list[NodeBody]


class PathBody(BaseModel):
    """One path, to read and as facts of the graph."""

    text: str
    triples: list[TripleBody]


class RetrievalBody(BaseModel):
    """Paths from the anchors, shorter ones first; `cut`: a budget left some out."""

    mentions: list[MentionBody]
    paths: list[PathBody]
    nodes: int
    edges: int
    cut: bool
