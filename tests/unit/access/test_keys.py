"""Keys: made, checked, and refused where they should be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from set_clock import SetClock
from trellis.access.keys import KeyRing
from trellis.access.tokens import KeyToken, holds_token
from trellis.domain.errors import (
    KeyRefusedError,
    KeySettingsError,
    NotKeptError,
    ScopeError,
)
from trellis.store.database import Database
from trellis.store.keys import KeyTable


@pytest.fixture
def clock() -> SetClock[datetime]:
    return SetClock(datetime(2030, 1, 1, tzinfo=UTC))


@pytest.fixture
def ring(database: Database, clock: SetClock[datetime]) -> KeyRing:
    return KeyRing(KeyTable(database), clock)


def test_no_two_keys_are_alike_and_each_reads_as_itself() -> None:
    tokens = [KeyToken.create() for _ in range(200)]
    assert len({token.id for token in tokens}) == len({token.secret for token in tokens}) == 200
    for token in tokens:
        assert KeyToken.read_text(str(token)) == token
        assert holds_token(f"see {token}!")
        assert token.secret not in repr(token)


@pytest.mark.slow
@given(st.text() | st.from_regex(r"trl_[a-z2-7]{0,9}_[A-Za-z0-9_\x00-]{40,45}", fullmatch=True))
def test_a_text_is_a_key_only_if_the_key_is_that_text(given_text: str) -> None:
    token = KeyToken.read_text(given_text)
    assert token is None or str(token) == given_text


@given(st.integers(0, 55), st.sampled_from(["\0", " ", "\n", "é", "!"]))
def test_a_key_with_a_strange_character_is_none(at: int, strange: str) -> None:
    text = str(KeyToken.create())
    assert KeyToken.read_text(text[:at] + strange + text[at:]) is None


async def test_a_key_opens_what_it_was_made_for(ring: KeyRing) -> None:
    token = await ring.create_key("page", ["ask", "feedback"], ["atlas"], None, "5/minute")
    caller = await ring.check_token(token, "10.0.0.1")
    assert (caller.id, caller.scopes) == (token.id, {"ask", "feedback"})
    assert (caller.address, caller.rate_limit, caller.asker) == ("10.0.0.1", "5/minute", token.id)
    caller.check_scope(["cypher", "ask"])
    caller.check_graph("atlas")
    with pytest.raises(ScopeError, match="`cypher`, and the key has `ask`, `feedback`"):
        caller.check_scope(["cypher"])
    with pytest.raises(ScopeError, match="'police'"):
        caller.check_graph("police")


async def test_the_secret_is_kept_nowhere(ring: KeyRing, database: Database) -> None:
    token = await ring.create_key("page", ["ask"])
    async with database.begin_session() as session:
        [row] = (await session.execute(text("SELECT * FROM keys"))).all()
    assert token.id in row
    assert token.secret not in str(row)
    assert token.secret_hash in row


async def test_unknown_wrong_revoked_and_expired_keys_are_refused(
    ring: KeyRing, clock: SetClock[datetime]
) -> None:
    with pytest.raises(KeyRefusedError, match="not known"):
        await ring.check_token(KeyToken.create(), "")
    token = await ring.create_key("one", ["ask"], expires_at=clock.now + timedelta(days=1))
    with pytest.raises(KeyRefusedError, match="not known"):
        await ring.check_token(KeyToken(token.id, KeyToken.create().secret), "")
    clock.now += timedelta(hours=23)
    await ring.check_token(token, "")
    clock.now += timedelta(hours=1)
    with pytest.raises(KeyRefusedError, match="expired at 2030-01-02T00:00"):
        await ring.check_token(token, "")
    other = await ring.create_key("other", ["ask"])
    await ring.revoke_key(other.id)
    with pytest.raises(KeyRefusedError, match="revoked"):
        await ring.check_token(other, "")
    assert await ring.list_valid_keys() == []
    with pytest.raises(NotKeptError, match="keys list"):
        await ring.revoke_key("nobody")


async def test_a_use_is_noted_at_most_once_a_minute(database: Database) -> None:
    clock = SetClock(datetime.now(UTC))
    ring = KeyRing(KeyTable(database), clock)
    token = await ring.create_key("one", ["ask"])

    async def use() -> datetime | None:
        await ring.check_token(token, "")
        await database.finish_writes()
        return (await ring.list_keys())[0].used_at

    first = await use()
    assert first is not None
    assert await use() == first
    clock.now += timedelta(minutes=1)
    later = await use()
    assert later is not None
    assert later > first


@pytest.mark.parametrize(
    ("name", "scopes", "graphs", "rate", "said"),
    [
        (" ", ["ask"], [], "", "name"),
        ("a\0b", ["ask"], [], "", "name"),
        ("a" * 201, ["ask"], [], "", "name"),
        ("a", [], [], "", "needs a scope"),
        ("a", ["ask", "write"], [], "", "no such scope: write"),
        ("a", ["ask"], ["\n"], "", "graph"),
        ("a", ["ask"], [], "often", "no rate limit"),
    ],
)
async def test_a_key_of_nonsense_is_not_made(
    ring: KeyRing, name: str, scopes: list[str], graphs: list[str], rate: str, said: str
) -> None:
    with pytest.raises(KeySettingsError, match=said):
        await ring.create_key(name, scopes, graphs, None, rate)
    assert await ring.list_keys() == []
