"""What every request passes, and how errors leave.

    requests      the id of each request
    verbs         which ones an address has, and HEAD where it has GET
    bodies        which bodies are read, and their limits
    cross_origin  pages of other origins, where a setting names them
    field_errors  what is wrong with the fields of a request
    problems      errors as `application/problem+json`

`api.app` wraps them around all routes.
"""
