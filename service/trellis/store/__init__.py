"""The answer store: questions with their answers and feedback, by SQLAlchemy (SQLite, PostgreSQL).

`answers` writes and reads them, `tables` maps the tables, `migration` creates these by
`migrations/store` (Alembic). For `wiring`, `house`, `api` and `cli/migrate`.
"""
