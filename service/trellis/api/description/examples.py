"""Example responses for the OpenAPI description: answers from the bundled graph, shortened."""

from __future__ import annotations

import json
from typing import Any

Response = dict[str, Any]

_GRAPH = "4:29c59548-0be9-4116-b2bf-5a418f961785"
_ID = "1ed61d0f-fad0-40df-b0d1-17dc215d5919"
_FRANCE = {"name": "France", "id": f"{_GRAPH}:1400", "labels": ["Country"]}
_PARIS = {"name": "Paris", "id": f"{_GRAPH}:892", "labels": ["City"]}
_BERLIN = {"name": "Berlin", "id": f"{_GRAPH}:134", "labels": ["City"]}
_FOUND = {"score": 1.0, "how": "exact-case"}
_MENTION = {"text": "France", "start": 23, "end": 29, "links": [{**_FRANCE, **_FOUND}]}
_SUBGRAPH = {
    "nodes": [_FRANCE, _PARIS],
    "relationships": [
        {
            "id": "5:29c59548-0be9-4116-b2bf-5a418f961785:77",
            "type": "HAS_CAPITAL",
            "source": _FRANCE["id"],
            "target": _PARIS["id"],
        }
    ],
}
_EVIDENCE = [["France", "HAS_CAPITAL", "Paris"]]
_PATH = "France -HAS_CAPITAL-> Paris"
_CANDIDATES = [
    {
        "text": "ENT1 -> HAS_CAPITAL",
        "score": -0.061,
        "answers": 1,
        "reading": "the capital of France",
    },
    {
        "text": "ENT1 <- IN_COUNTRY",
        "score": -3.845,
        "reading": "what is in country France",
    },
]

_ANSWERED = {
    "id": _ID,
    "question": "What is the capital of France?",
    "reading": "the capital of France",
    "method": "gcr",
    "answers": [{**_PARIS, "score": 0.941, "paths": [0]}],
    "evidence": _EVIDENCE,
    "paths": [_PATH],
    "confidence": 0.941,
    "abstained": False,
    "mentions": [_MENTION],
    "candidates": _CANDIDATES,
    "steps": [
        {"name": "link", "seconds": 0.018},
        {"name": "retrieve", "seconds": 0.034},
        {"name": "decode", "seconds": 0.06},
        {"name": "ground", "seconds": 0.116},
        {"name": "reason", "seconds": 0.0001},
    ],
    "notes": [],
}

_CAPITALS = "MATCH (x0:`City`)<-[:`HAS_CAPITAL`]-(x1:`Country` WHERE x1.`name` = $v0)\nRETURN x0"
_PARAMS = {"v0": "France"}
_VALUE = {
    "name": "France",
    "id": "",
    "labels": ["Country"],
    "score": 0.8,
    "how": "exact",
    "property": "name",
}
_QUERIED = {
    **_ANSWERED,
    "reading": "cities that country France has as capital",
    "method": "graphraft",
    "answers": [{**_PARIS, "score": 0.94, "paths": [0]}],
    "cypher": _CAPITALS,
    "params": _PARAMS,
    "columns": ["city"],
    "rows": [[{"type": "node", "id": f"{_GRAPH}:892", "name": "Paris", "labels": ["City"]}]],
    "plan": {
        "operators": ["ProduceResults", "Filter", "Expand(All)", "Filter", "NodeByLabelScan"],
        "columns": ["x0"],
    },
    "confidence": 0.94,
    "mentions": [{**_MENTION, "links": [_VALUE]}],
    "candidates": [
        {
            "text": " list city has capital country name v0",
            "score": -0.062,
            "answers": 1,
            "reading": "cities that country France has as capital",
            "cypher": _CAPITALS,
            "params": _PARAMS,
        },
        {
            "text": " list city in country country name v0",
            "score": -3.912,
            "reading": "cities that are in country France",
            "cypher": _CAPITALS.replace("<-[:`HAS_CAPITAL`]-", "-[:`IN_COUNTRY`]->"),
            "params": _PARAMS,
        },
    ],
    "steps": [
        {"name": "link", "seconds": 0.012},
        {"name": "retrieve", "seconds": 0.001},
        {"name": "decode", "seconds": 0.09},
        {"name": "execute", "seconds": 0.031},
        {"name": "rank", "seconds": 0.0002},
        {"name": "reason", "seconds": 0.024},
    ],
}

_EVENTS = {
    "links": {"links": [_MENTION]},
    "candidates": {"candidates": _CANDIDATES},
    "evidence": {"evidence": [_PATH]},
    "answer": _ANSWERED,
    "done": {},
}
_STREAM = "".join(f"event: {name}\ndata: {json.dumps(it)}\n\n" for name, it in _EVENTS.items())


def _build_json_response(description: str, example: object) -> Response:
    return {
        "description": description,
        "content": {"application/json": {"example": example}},
    }


def _build_text_content(media_type: str, example: str) -> Response:
    return {media_type: {"schema": {"type": "string"}, "example": example}}


_CSV = "city\r\nParis\r\n"

ANSWERED: Response = {
    "description": "The answer, and all that it stands on",
    "content": {
        "application/json": {
            "examples": {
                "paths": {"summary": "By paths (`gcr`)", "value": _ANSWERED},
                "query": {"summary": "By a query (`graphraft`)", "value": _QUERIED},
            }
        }
    },
}
ANSWERED_OR_EVENTS: Response = {
    "description": "The answer, its events, or its rows",
    "content": {
        **ANSWERED["content"],
        **_build_text_content("text/event-stream", _STREAM),
        **_build_text_content("text/csv", _CSV),
    },
}
ANSWERED_OR_ROWS: Response = {
    "description": "The answer, or its rows",
    "content": {**ANSWERED["content"], **_build_text_content("text/csv", _CSV)},
}
VERIFIED = _build_json_response(
    "The verdict, and the facts for or against the claim",
    {
        "id": _ID,
        "claim": "The capital of France is Paris.",
        "verdict": "supported",
        "confidence": 0.93,
        "evidence": _EVIDENCE,
        "reading": "the capital of France is Paris",
        "mentions": [
            {"text": "France", "start": 15, "end": 21, "nodes": [_FRANCE]},
            {"text": "Paris", "start": 25, "end": 30, "nodes": [_PARIS]},
        ],
        "candidates": [
            {"reading": "the capital of France is Paris", "probability": 0.93, "truth": "true"}
        ],
        "steps": [
            {"name": "link", "seconds": 0.012},
            {"name": "read", "seconds": 0.031},
            {"name": "weigh", "seconds": 0.009},
        ],
        "notes": [],
    },
)
NAMES = _build_json_response(
    "The names found", {"names": [{"name": "Kenya", "id": "4:0:1442", "labels": ["Country"]}]}
)
LINKED = _build_json_response("The mentions found", {"mentions": [_MENTION]})
RETRIEVED = _build_json_response(
    "The paths found",
    {
        "mentions": [{"text": "Berlin", "start": 15, "end": 21, "links": [{**_BERLIN, **_FOUND}]}],
        "paths": [
            {
                "text": "Berlin <-HAS_CAPITAL- Germany",
                "triples": [["Germany", "HAS_CAPITAL", "Berlin"]],
            }
        ],
        "nodes": 4,
        "edges": 4,
        "cut": False,
    },
)
MATCHED = _build_json_response(
    "The nearest subgraphs",
    {"matches": [{"distance": 0.0, **_SUBGRAPH, "triples": _EVIDENCE}], "complete": True},
)
TRACED = _build_json_response(
    "The traces",
    {
        "traces": [{"score": 2.5, **_SUBGRAPH, "scores": [1.5], "triples": _EVIDENCE}],
        "complete": True,
    },
)
EXPLAINED = _build_json_response(
    "The verdict",
    {
        "allowed": True,
        "reason": "",
        "remedy": "",
        "estimated_rows": 197.0,
        "plan": {
            "operators": ["ProduceResults", "Projection", "Expand(All)", "Filter"],
            "columns": ["capital"],
        },
    },
)
RAN = _build_json_response("The rows", {"columns": ["capital"], "rows": [["Paris"]], "cut": ""})
METHODS = _build_json_response(
    "The methods, the default first",
    [
        {
            "name": "gcr",
            "about": "Paths decoded inside the KG-Trie, run in the database, and voted on.",
            "default": True,
            "ready": True,
            "tasks": ["path"],
            "models": {"path": "./model"},
        },
        {
            "name": "graphraft",
            "about": "Queries decoded inside the language of the schema, run behind the gate, "
            "and ranked.",
            "default": False,
            "ready": False,
            "tasks": ["cypher", "rank"],
            "problem": "no model does task 'cypher': ./model does 'path'",
            "remedy": "train one with `trellis train --task cypher`, and name its folder in "
            "TRELLIS_MODEL",
        },
    ],
)
_KIND = {"type": "HAS_CAPITAL", "start_label": "Country", "end_label": "City"}
SCHEMA = _build_json_response(
    "The live schema",
    {
        "labels": [
            {
                "label": "City",
                "count": 1334,
                "naming": "name",
                "properties": [
                    {
                        "name": "name",
                        "type": "STRING",
                        "share": 1.0,
                        "unique": False,
                        "indexed": False,
                        "values": [],
                        "examples": ["Paris", "Vienna"],
                    }
                ],
            }
        ],
        "relationships": [{**_KIND, "count": 197}],
        "nodes": 2791,
        "edges": 6012,
        "fingerprint": "5c1f0a7d",
        "relationship_properties": {},
        "estimated": False,
        "synonyms": {},
    },
)
OPENINGS = _build_json_response(
    "Questions to begin with",
    {
        "starters": ["What is the capital of Kenya?"],
        "kinds": [{**_KIND, "question": "What is the capital of Kenya?"}],
    },
)
KEPT = _build_json_response(
    "A page of answers",
    {
        "answers": [
            {
                "id": _ID,
                "asked_at": "2026-11-21T15:02:42.179813Z",
                "question": "What is the capital of France?",
                "method": "gcr",
                "seconds": 0.23,
                "answers": ["Paris"],
                "abstained": False,
            }
        ],
        "next": 5,
    },
)
NOTED = _build_json_response(
    "The feedback is kept", {"id": _ID, "noted_at": "2026-11-21T15:02:44.963776Z"}
)
ALIVE = _build_json_response("The process runs", {"alive": True})
GRAPHS = _build_json_response(
    "The graphs, the default first",
    {
        "graphs": [
            {"name": "default", "default": True, "ready": True, "missing": []},
            {
                "name": "police",
                "default": False,
                "ready": False,
                "missing": [
                    {
                        "part": "graph",
                        "problem": "Neo4j cannot be reached at bolt://127.0.0.1:7688",
                        "remedy": "start it, or set TRELLIS_NEO4J_URI",
                    }
                ],
            },
        ]
    },
)
READY = _build_json_response("Questions can be answered", {"ready": True})
METRICS: Response = {
    "description": "Prometheus's text format",
    "content": _build_text_content(
        "text/plain",
        'trellis_questions_total{method="gcr",outcome="answered"} 6.0\ntrellis_running 1.0\n',
    ),
}

_MODEL = {"id": "trellis", "object": "model", "created": 0, "owned_by": "trellis"}
MODEL = _build_json_response("The model", {**_MODEL, "name": "Trellis"})
MODELS = _build_json_response(
    "The models", {"object": "list", "data": [{**_MODEL, "name": "Trellis"}]}
)
_COMPLETION = {
    "id": "chatcmpl-0f1e7c1a52d14f0f9d0c6f1f7a3b9f52",
    "object": "chat.completion",
    "created": 1_795_800_000,
    "model": "trellis",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": f"Paris [1]\n\n[1] {_PATH}"},
            "finish_reason": "stop",
            "logprobs": None,
        }
    ],
    "usage": {"prompt_tokens": 7, "completion_tokens": 9, "total_tokens": 16},
    "trellis": _ANSWERED,
}
COMPLETED: Response = {
    "description": "The completion, or its chunks",
    "content": {
        "application/json": {"example": _COMPLETION},
        "text/event-stream": {  # whose events are chunks, which no schema of OpenAPI's describes
            "example": f"data: {json.dumps(_COMPLETION)}\n\ndata: [DONE]\n\n"
        },
    },
}
