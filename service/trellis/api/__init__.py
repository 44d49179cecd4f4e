"""The HTTP service, version 1: one file a resource, thin routes over `trellis_app.TrellisApp`.

    app          the service as one ASGI app
    deps         what routes are given
    graph_paths  `/v1/graphs/{graph}/…`
    served       the graphs, each with all that is its own
    page         the page at `/`
    access       who is let in
    routes       routes, one file a resource
    chats        routes for OpenAI's clients
    description  the OpenAPI description
    operation    health, figures, traces, and the deletion of old answers
    middleware   what every request passes, and errors as responses

Used by `trellis serve` alone.
"""
