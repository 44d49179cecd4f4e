"""Adds the graph to each answer; those from before are the default graph's."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column = sa.Column("graph", sa.String(100), nullable=False, server_default="default")
    op.add_column("answers", column)
    op.create_index("ix_answers_graph", "answers", ["graph"])


def downgrade() -> None:
    op.drop_index("ix_answers_graph", "answers")
    with op.batch_alter_table("answers") as answers:
        answers.drop_column("graph")
