"""Decoding workers as engines.

    worker    models that decoding workers run
    replica   one decoding worker over HTTP
    replicas  several workers as one

Used by `wiring`, and by the app and the service for their figures.
"""
