"""What those who run the service watch, and what runs beside the routes.

    health     `/livez` and `/readyz`
    readiness  whether no part is missing, and the warm-up before that
    metrics    what is counted and measured
    scraping   `/metrics`
    telemetry  traces
    aging      deletes what is older than the settings say

`api.app` puts them together with the other routes.
"""
