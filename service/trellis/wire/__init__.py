"""What travels over HTTP: bodies, events and problems, as service and client both know them.

Nothing here knows FastAPI or httpx, so that a client imports it in milliseconds.
"""
