"""What travels over HTTP, as both sides know it.

    request_bodies  what all bodies of requests have in common
    asked           what the service is sent
    claims          claims, and the verdicts on them
    evidence        the facts of an answer, to read and to draw
    bodies          the answer to a question, and the methods
    retrieval       linked mentions, and paths that are retrieved without a model
    patterns        patterns to search for, and the subgraphs that match them
    traces          schema graphs to trace, and their traces
    graphs          the graphs there are
    kept_answers    the answers that are kept
    cypher          Cypher queries, verdicts and rows
    openings        questions to begin with
    cells           cells of an answer's rows, as typed JSON and as text
    tables          the rows as people read them, and as a table of Markdown
    csv_text        the rows as CSV
    answer_text     an answer in plain text with footnotes
    chat            what OpenAI's chat interface is asked and answers
    events          the events of a question that is told while it is answered
    problems        errors as `application/problem+json`, there and back
    decoding        between the service and a decoding worker

Knows neither FastAPI nor httpx, so that a client imports it in milliseconds. Used by the service,
the client, the commands, the engines and the worker.
"""
