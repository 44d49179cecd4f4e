"""Adds the conversation that an answer belongs to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("answers") as table:
        table.add_column(sa.Column("conversation", sa.String(64), nullable=True))
    op.create_index("ix_answers_conversation", "answers", ["conversation"])


def downgrade() -> None:
    op.drop_index("ix_answers_conversation", "answers")
    with op.batch_alter_table("answers") as table:
        table.drop_column("conversation")
