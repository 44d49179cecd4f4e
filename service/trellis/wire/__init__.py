"""The wire formats: bodies, events and errors over HTTP, which service and client share.

    asked      bodies of requests
    bodies     bodies of responses
    cypher     requests and responses of Cypher queries
    events     events of a question while it is answered
    problems   errors as `application/problem+json`
    decoding   the protocol between service and decoding workers

Used by `api`, `cli`, `client`, `worker`, `engines` and `house`. Nothing here imports FastAPI or
httpx, so that a client imports it in milliseconds.
"""
