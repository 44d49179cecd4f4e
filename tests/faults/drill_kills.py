"""Parts that are killed or frozen while clients ask; `make faults` runs it."""

from __future__ import annotations

from functools import partial

import pytest

from faults.drill import Drill, Running, break_part, freeze_part

_AWAY_SECONDS = 3.0
_FROZEN_SECONDS = 8.0
_FAULTS = {"kill -9": partial(break_part, seconds=_AWAY_SECONDS)}
_FAULTS["SIGSTOP"] = partial(freeze_part, seconds=_FROZEN_SECONDS)


@pytest.mark.parametrize("fault", _FAULTS)
@pytest.mark.parametrize("part", ["neo4j", "service"])
async def test_a_fault_of_neo4j_or_the_service(
    on_sqlite: Running, drill: Drill, part: str, fault: str
) -> None:
    broken = getattr(on_sqlite, part)
    await drill.run(f"{part}: {fault}", on_sqlite, partial(_FAULTS[fault], broken))


@pytest.mark.parametrize("fault", _FAULTS)
@pytest.mark.parametrize("part", ["postgres", "service"])
async def test_a_fault_where_the_store_is_a_postgresql(
    on_postgres: Running, drill: Drill, part: str, fault: str
) -> None:
    broken = getattr(on_postgres, part)
    name = f"{part}{' on postgres' * (part == 'service')}: {fault}"
    await drill.run(name, on_postgres, partial(_FAULTS[fault], broken))
