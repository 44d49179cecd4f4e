"""The memory of all models together is counted, and bounded where that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from trellis.app.models import ModelMemory
from trellis.domain.errors import ModelMemoryError
from trellis.settings import BUNDLED_MODEL, Settings
from trellis.wiring.assemble import assemble_app


def test_what_fits_is_counted_and_what_does_not_is_refused() -> None:
    memory = ModelMemory(10 * 2**20)
    memory.claim("a", 6 * 2**20)
    with pytest.raises(
        ModelMemoryError, match=r"b take 5.0 MiB beside 6.0 MiB .* 10.0 MiB .*MEMORY"
    ):
        memory.claim("b", 5 * 2**20)
    memory.claim("c", 4 * 2**20)
    assert memory.used == 10 * 2**20


def test_without_a_bound_everything_fits() -> None:
    memory = ModelMemory()
    memory.claim("a", 2**40)
    assert memory.used == 2**40


@pytest.mark.slow
async def test_an_app_loads_no_more_than_is_allowed(tmp_path: Path) -> None:
    store = f"sqlite+aiosqlite:///{tmp_path}/s.db"
    small = Settings(store_url=store, model=str(BUNDLED_MODEL), model_memory=1, _env_file=None)
    async with assemble_app(small) as trellis_app:
        with pytest.raises(ModelMemoryError):
            await trellis_app.pipelines.build("gcr")
        assert trellis_app.models.memory.used == 0
    async with assemble_app(small.model_copy(update={"model_memory": 100})) as trellis_app:
        await trellis_app.pipelines.build("gcr")
        assert 2**20 < trellis_app.models.memory.used < 100 * 2**20
