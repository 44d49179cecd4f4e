"""The description of `/mcp`, whose messages the Model Context Protocol defines."""

from __future__ import annotations

from typing import Any

from trellis.api.middleware.problems import document_errors

_LISTED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
_MESSAGE = {
    "title": "AgentMessage",
    "description": "A message of JSON-RPC 2.0.",
    "type": "object",
    "required": ["jsonrpc", "method"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "method": {"type": "string", "examples": ["tools/list", "tools/call"]},
        "params": {"type": "object"},
    },
    "examples": [_LISTED],
}
_REPLY = {
    "title": "AgentReply",
    "description": "A reply of JSON-RPC 2.0: a `result` or an `error`.",
    "type": "object",
    "required": ["jsonrpc"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        "result": {"type": "object"},
        "error": {"type": "object"},
    },
}
_EXAMPLE = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "ask"}]}}


def describe_agent_route(described: dict[str, Any], paths: tuple[str, ...]) -> None:
    """Add the endpoint for agents to a description, at each of its paths."""
    described["components"]["schemas"] |= {"AgentMessage": _MESSAGE, "AgentReply": _REPLY}
    for path in paths:
        described["paths"][path] = {
            "post": {
                "tags": ["agents"],
                "operationId": f"call_tools{path.replace('/', '_')}",
                "summary": "Tools for agents",
                "description": "The Model Context Protocol over HTTP, without sessions: `ask`, "
                "`find_entities`, `get_evidence`, `get_schema`, and `run_cypher` where it is "
                "allowed. The protocol's own errors are replies of status 400 to 415.",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": _refer_to("AgentMessage")}},
                },
                "responses": {
                    "200": {
                        "description": "The reply to a request",
                        "content": {
                            "application/json": {
                                "schema": _refer_to("AgentReply"),
                                "example": _EXAMPLE,
                            }
                        },
                    },
                    "202": {"description": "A notification is taken"},
                    "4XX": {
                        "description": "No message, or not allowed",
                        "content": {"application/json": {"schema": _refer_to("AgentReply")}},
                    },
                    **{str(status): it for status, it in document_errors(403).items()},
                },
            }
        }


def _refer_to(schema: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{schema}"}
