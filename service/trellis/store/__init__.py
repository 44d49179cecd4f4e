"""The answer store: what was asked and answered, kept by SQLAlchemy (SQLite or PostgreSQL).

    answers     keeps and finds answers and feedback
    tables      the tables
    migration   brings the tables up to date, by Alembic

Used by `house`, `wiring`, the service and `trellis migrate`. The tables come from
`migrations/store`.
"""
