"""Creates the table of feedback on answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "feedback",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("answer_id", sa.String(36), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("right", sa.Boolean(), nullable=False),
        sa.Column("expected", sa.JSON(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_feedback"),
        sa.ForeignKeyConstraint(["answer_id"], ["answers.id"], name="fk_feedback_answer_id"),
    )
    op.create_index("ix_feedback_answer_id", "feedback", ["answer_id"])


def downgrade() -> None:
    op.drop_table("feedback")
