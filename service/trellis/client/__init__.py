"""A typed client of the service: `from trellis import Client`.

    client           one method a resource
    sending          requests, retried where the service asks for that, and server-sent events
    agent_schema     the schema of a graph as an agent reads it
    agent_tools      tools for agents (extra `mcp`)
    langchain_tools  a LangChain retriever and a tool (extra `langchain`)

Imports neither FastAPI nor Neo4j nor torch. Errors are those of `trellis.domain.errors`. Used by
the commands and the load test, and by whoever calls a service from Python.
"""

from trellis.client.client import Client

__all__ = ["Client"]
