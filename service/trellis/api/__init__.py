"""The HTTP service, version 1: one file a resource, thin routes over `trellis_app.TrellisApp`.

    app               the service as one ASGI app
    deps              what routes are given
    questions         `POST /v1/questions`
    claims            `POST /v1/claims`
    events            the same, as server-sent events
    csv_rows          the rows of an answer as `text/csv`
    links             `POST /v1/links`
    names             `GET /v1/names`
    retrieve          `POST /v1/retrieve/paths`, `/patterns` and `/traces`
    cypher            `POST /v1/cypher/explain` and `/v1/cypher/run`
    answers           `/v1/answers` and `/v1/conversations`, and feedback
    chat              `GET /v1/models` and `POST /v1/chat/completions`, for OpenAI's clients
    chat_tasks        prompts of chat interfaces, answered without the graph
    chat_errors       errors as OpenAI's clients read them
    agents            `/mcp`, tools for agents
    schema            `GET /v1/schema`, and questions to begin with
    methods           `GET /v1/methods`
    graphs            `GET /v1/graphs`
    graph_paths       `/v1/graphs/{graph}/…`
    served            the graphs, each with all that is its own
    page              the page at `/`
    health            `/livez` and `/readyz`
    readiness         whether no part is missing, and the warm-up before that
    metrics           what is counted and measured
    scraping          `/metrics`
    telemetry         traces
    access            who is let in
    aging             deletes what is older than the settings say
    requests          the id of each request
    verbs             which ones an address has, and HEAD where it has GET
    bodies            which bodies are read, and their limits
    cross_origin      pages of other origins, where a setting names them
    field_errors      what is wrong with the fields of a request
    problems          errors as `application/problem+json`
    openapi           the description
    problem_examples  a problem for each status
    response_headers  the headers of responses, as the description has them
    agent_route       the description of `/mcp`
    examples          the examples of the description

Used by `trellis serve` alone.
"""
