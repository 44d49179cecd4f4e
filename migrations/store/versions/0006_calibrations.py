"""Creates the table of calibrations of models that have no folder to keep them in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "calibrations",
        sa.Column("graph", sa.String(100), nullable=False),
        sa.Column("model", sa.String(500), nullable=False),
        sa.Column("method", sa.String(40), nullable=False),
        sa.Column("fitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("graph", "model", "method", name="pk_calibrations"),
    )


def downgrade() -> None:
    op.drop_table("calibrations")
