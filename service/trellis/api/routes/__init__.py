"""The routes of questions, claims, graphs and kept answers.

    questions  `POST /v1/questions`
    claims     `POST /v1/claims`
    events     the same, as server-sent events
    csv_rows   the rows of an answer as `text/csv`
    links      `POST /v1/links`
    names      `GET /v1/names`
    retrieve   `POST /v1/retrieve/paths`, `/patterns` and `/traces`
    cypher     `POST /v1/cypher/explain` and `/v1/cypher/run`
    answers    `/v1/answers` and `/v1/conversations`, and feedback
    agents     `/mcp`, tools for agents
    schema     `GET /v1/schema`, and questions to begin with
    methods    `GET /v1/methods`
    graphs     `GET /v1/graphs`

`api.app` puts them together.
"""
