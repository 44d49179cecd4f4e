"""Creates the tables of keys and of audit rows, and the column of who an answer was given to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "keys",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("graphs", sa.JSON(), nullable=False),
        sa.Column("rate_limit", sa.String(200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_keys"),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("caller", sa.String(300), nullable=False),
        sa.Column("graph", sa.String(100), nullable=False),
        sa.Column("verb", sa.String(20), nullable=False),
        sa.Column("path", sa.String(300), nullable=False),
        sa.Column("query_hash", sa.String(64), nullable=False),
        sa.Column("query", sa.Text(), nullable=True),
        sa.Column("rows", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.String(100), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_audit_caller", "audit", ["caller"])
    op.add_column("answers", sa.Column("asker", sa.String(300), nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("answers") as answers:
        answers.drop_column("asker")
    op.drop_table("audit")
    op.drop_table("keys")
