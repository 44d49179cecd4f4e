"""The description of the service, with examples.

    openapi           the description
    problem_examples  a problem for each status
    response_headers  the headers of responses, as the description has them
    agent_route       the description of `/mcp`
    examples          the examples of the description

Used by `api.app`, and by the routes for their examples.
"""
