"""The answer store: what was asked and answered, kept by SQLAlchemy (SQLite or PostgreSQL).

    answers     keeps and finds answers and feedback
    keys        keeps and finds keys
    audit       keeps and finds audit rows
    retention   deletes by age, and what is kept of one caller
    database    sessions and writes of one database
    tables      the tables
    migration   brings the tables up to date, by Alembic

Used by `app`, `access`, `wiring`, the service, `trellis migrate`, `trellis keys`
and `trellis forget`. The tables
come from `migrations/store`.
"""
