"""What the README says of the settings is what the settings say of themselves."""

from __future__ import annotations

from pathlib import Path

from trellis.settings import Settings, settings_table

README = Path(__file__).parents[2] / "README.md"


def test_the_settings_table_is_generated_from_the_class() -> None:
    text = README.read_text(encoding="utf-8")
    table = text.split("<!-- settings:begin -->\n")[1].split("\n<!-- settings:end -->")[0]
    assert table == settings_table(), "paste what trellis.settings.settings_table() gives"


def test_every_setting_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())
