"""What the service and the decoding worker both do as servers of HTTP.

    turns         limits how much work runs and waits at once
    disconnects   cancels work whose client has left
    bodies        limits the size of request bodies, and the time that they take
    connections   ends connections on which nothing comes, and lets many be open
    media_types   the media type that a request accepts
    problems      errors as responses of `application/problem+json`
    events        the events of work that is under way

Knows no settings, logs or metrics: each server has its own. Used by `api`, `worker` and `app`.
"""
