"""The answer store: what was asked and answered, kept by SQLAlchemy (SQLite or PostgreSQL).

For `wiring` and `cli/migrate`; its tables come from `migrations/store` (Alembic).
"""
