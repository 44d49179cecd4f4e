"""How queries are written as JSON, as a chat format has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from trellis.domain.errors import CypherReadError
from trellis.engines.chats.chat import JsonForm
from trellis.engines.chats.json_queries.schema import INSTRUCTIONS, build_query_schema
from trellis.engines.chats.json_queries.tree import QueryTree
from trellis.engines.chats.json_queries.writing import write_query_tree

_LINE_TOKENS = 512


def read_query_json(body: Mapping[str, Any]) -> str:
    """The Cypher that a tree says; CypherReadError where it says none."""
    try:
        return QueryTree.model_validate(body).write_cypher()
    except ValidationError as error:
        first = error.errors()[0]
        place = " ".join(map(str, first["loc"]))
        raise CypherReadError(f"{place}: {first['msg']}" if place else first["msg"]) from error


def write_query_json(sentence: str) -> str:
    """A query as JSON on one line."""
    tree = write_query_tree(sentence)
    return json.dumps(tree.model_dump(by_alias=True), ensure_ascii=False)


QUERY_JSON = JsonForm(
    INSTRUCTIONS, build_query_schema, read_query_json, write_query_json, _LINE_TOKENS
)
