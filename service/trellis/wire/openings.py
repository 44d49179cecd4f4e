"""What `/v1/schema/examples` answers: questions to begin with."""

from __future__ import annotations

from pydantic import BaseModel, Field


class KindExampleBody(BaseModel):
    """A question about one kind of relationship; the graph has what it asks for."""

    type: str = Field(description="The relationship type.")
    start_label: str = Field(description="Of the node that the question names; empty: none.")
    end_label: str = Field(description="Of the nodes that it asks for; empty: none.")
    question: str


class OpeningsBody(BaseModel):
    """Questions to begin with, and an example for each kind of relationship."""

    starters: list[str] = Field(
        description="The example questions of the graph's configuration file, else some of `kinds`."
    )
    kinds: list[KindExampleBody]
