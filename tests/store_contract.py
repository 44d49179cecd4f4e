"""What holds of the store whatever database it is in.

A test class of each database inherits it; fixture `database`, a migrated one, comes from where that
class is.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from trellis.access.keys import KeyRing
from trellis.domain.errors import KeyRefusedError, RetentionError, StoreError
from trellis.store.answers import Store
from trellis.store.audit import AuditTable
from trellis.store.database import Database
from trellis.store.keys import KeyTable
from trellis.store.retention import Retention, RowCounts
from trellis.store.tables import AuditRow

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def migrate_in_processes(url: str, count: int) -> list[tuple[str, int]]:
    """What `count` processes that migrate one store at once say on stderr, and their exit codes."""
    migrate = (
        "import asyncio; from trellis.store.migration import migrate_store;"
        f"asyncio.run(migrate_store({url!r}))"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", migrate], stderr=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    return [(process.communicate()[1], process.returncode) for process in started]


def build_audit_row(caller: str, graph: str = "default", path: str = "/v1/questions") -> AuditRow:
    return AuditRow(
        at=NOW,
        caller=caller,
        graph=graph,
        verb="POST",
        path=path,
        query_hash="0" * 64,
        query=None,
        rows=3,
        outcome="200",
        seconds=0.25,
    )


async def save_audit_rows(database: Database, *times: datetime) -> None:
    audit = AuditTable(database)
    for at in times:
        row = build_audit_row("a")
        row.at = at
        audit.start_saving(row)
    await audit.finish_writes()


class StoreContract:
    """Tests to inherit."""

    @pytest.fixture
    def store(self, database: Database) -> Store:
        return Store(database, "default")

    async def test_an_answer_comes_back_as_it_was_kept(self, store: Store) -> None:
        body = {"answers": [{"name": "Köln \0 😀 '); DROP TABLE answers; --"}], "n": 1.5}
        await store.save_answer("one", "Who? 😀", "gcr", 0.5, body)
        row = await store.find_answer("one")
        assert row is not None
        assert (row.question, row.method, row.body) == ("Who? 😀", "gcr", body)
        assert (row.graph, row.asker) == ("default", "")
        assert await store.find_answer("two") is None

    async def test_feedback_is_kept_in_order(self, store: Store) -> None:
        await store.save_answer("one", "Who?", "gcr", 0.5, {})
        await store.save_feedback("one", True, [], "")
        await store.save_feedback("one", False, ["Köln"], "not Bonn")
        said = [(row.right, row.expected, row.comment) for row in await store.list_feedback("one")]
        assert said == [(True, [], ""), (False, ["Köln"], "not Bonn")]
        assert await store.list_feedback("two") == []
        exported = [(row.id, note.right) async for row, note in store.iterate_feedback()]
        assert exported == [("one", True), ("one", False)]

    async def test_feedback_is_read_once_the_newest_alone_where_there_is_much(
        self, store: Store, database: Database
    ) -> None:
        other = Store(database, "other")
        for keeper, id in ((store, "one"), (other, "two"), (store, "three")):
            await keeper.save_answer(id, "Who?", "gcr", 0.5, {})
            await keeper.save_feedback(id, True, [], "")
        newest = await store.list_feedback_keys(9)
        assert [id for _, id in newest] == ["three", "one"]
        assert await store.list_feedback_keys(1) == newest[:1]
        read = await store.read_feedback(newest)
        assert [(answer.id, said.number) for answer, said in read] == [
            (id, number) for number, id in reversed(newest)
        ]
        assert await other.read_feedback(newest) == []

    async def test_answers_are_listed_latest_first_and_page_by_page(self, store: Store) -> None:
        for name in "abc":
            await store.save_answer(name, name, "gcr", 0.1, {})
        first = await store.list_answers(2)
        assert [row.id for row in first] == ["c", "b"]
        assert [row.id for row in await store.list_answers(2, before=first[-1].number)] == ["a"]

    async def test_answers_are_searched_by_the_words_of_their_questions(self, store: Store) -> None:
        for question in ("Wer baute ÄGYPTEN?", "Who? 100 % sure", "who built Egypt"):
            await store.save_answer(question, question, "gcr", 0.1, {}, "", question[:3])
        found = {
            words: [row.id[:5] for row in await store.list_answers(9, words=words)]
            for words in ("ägypten wer", "WHO", "who egypt", "%", "_", "o?")
        }
        assert found == {
            "ägypten wer": ["Wer b"],
            "WHO": ["who b", "Who? "],
            "who egypt": ["who b"],
            "%": ["Who? "],
            "_": [],
            "o?": ["Who? "],
        }
        assert [row.id[:5] for row in await store.list_answers(9, conversation="Who")] == ["Who? "]

    async def test_what_is_deleted_is_gone_with_its_feedback_and_nothing_else_is(
        self, database: Database, store: Store
    ) -> None:
        other = Store(database, "police")
        for keeper, asker in ((store, "anna"), (store, "bert"), (other, "anna")):
            for number in range(3):
                id = f"{asker} {number} {'here' if keeper is store else 'there'}"
                conversation = "talk" if number else None
                await keeper.save_answer(id, id, "gcr", 0.1, {}, asker, conversation)
                await keeper.save_feedback(id, True, [], "")
        assert await store.delete_answers("bert", id="anna 0 here") == 0
        assert await store.delete_answers(None, id="anna 0 here") == 1
        assert await store.list_feedback("anna 0 here") == []
        assert await store.delete_answers("bert", conversation="talk") == 2
        assert {row.id for row in await store.list_answers(9)} == {
            *("anna 1 here", "anna 2 here", "bert 0 here")
        }
        assert await store.delete_answers("anna") == 2
        assert [id for _, id in await store.list_feedback_keys(9)] == ["bert 0 here"]
        assert len(await other.list_answers(9)) == 3

    async def test_a_long_history_is_deleted_at_once(self, store: Store) -> None:
        names = [str(number) for number in range(600)]
        await asyncio.gather(*(store.save_answer(it, it, "gcr", 0.1, {}) for it in names))
        assert await store.delete_answers("") == 600
        assert await store.list_answers(9) == []

    async def test_what_is_too_old_is_deleted_in_all_graphs_and_what_is_not_stays(
        self, database: Database, store: Store
    ) -> None:
        other = Store(database, "police")
        for days in (0, 9, 11):
            for keeper in (store, other):
                id, at = f"{days} {keeper is store}", NOW - timedelta(days=days)
                await keeper.save_answer(id, "Who?", "gcr", 0.1, {}, asked_at=at)
                await keeper.save_feedback(id, True, [], "")
        await save_audit_rows(database, *(NOW - timedelta(days=days) for days in (9, 11, 99)))
        retention = Retention(database, lambda: NOW)
        chosen = retention.choose_older(10, 50)
        assert await retention.count_rows(chosen) == RowCounts(2, 1)
        assert await retention.delete_rows(chosen) == RowCounts(2, 1)
        assert await retention.delete_rows(chosen) == RowCounts()
        for keeper in (store, other):
            kept = ["9", "0"]
            assert [row.id.split()[0] for row in await keeper.list_answers(9)] == kept
            assert [id.split()[0] for _, id in await keeper.list_feedback_keys(9)] == kept
        assert len(await AuditTable(database).list_rows(9)) == 2
        assert await retention.delete_rows(retention.choose_older(None, 0)) == RowCounts(0, 2)
        assert len(await store.list_answers(9)) == 2

    async def test_all_that_is_kept_of_a_caller_goes_and_nothing_of_others(
        self, database: Database, store: Store
    ) -> None:
        ring, other = KeyRing(KeyTable(database)), Store(database, "police")
        anna, bert = [await ring.create_key(name, ["ask"]) for name in ("anna", "bert")]
        for keeper in (store, other):
            for key in (anna, bert):
                id = f"{key.id} {keeper is store}"
                await keeper.save_answer(id, "Who?", "gcr", 0.1, {}, key.id)
                await keeper.save_feedback(id, False, ["me"], "I am Anna")
        audit = AuditTable(database)
        for key in (anna, bert, anna):
            audit.start_saving(build_audit_row(key.id))
        await audit.finish_writes()
        retention = Retention(database)
        assert await retention.delete_rows(retention.choose_caller(anna.id)) == RowCounts(2, 2)
        assert {row.id for row in await ring.list_keys()} == {anna.id, bert.id}  # it may ask on
        await ring.revoke_key(anna.id)
        assert await retention.delete_rows(retention.choose_caller(anna.id)) == RowCounts(0, 0, 1)
        assert [row.id for row in await ring.list_keys()] == [bert.id]
        assert [row.caller for row in await audit.list_rows(9)] == [bert.id]
        for keeper in (store, other):
            assert [row.asker for row in await keeper.list_answers(9)] == [bert.id]
            assert len(await keeper.list_feedback_keys(9)) == 1

    async def test_what_is_old_goes_while_others_write(
        self, database: Database, store: Store
    ) -> None:
        old = NOW - timedelta(days=1)
        names = [f"old {number}" for number in range(1_200)]
        await asyncio.gather(
            *(store.save_answer(it, it, "gcr", 0.1, {}, asked_at=old) for it in names)
        )
        retention = Retention(database, lambda: NOW)
        deleted, *_ = await asyncio.gather(
            retention.delete_rows(retention.choose_older(0.5, None)),
            *(store.save_answer(f"new {it}", "?", "gcr", 0.1, {}) for it in range(60)),
        )
        assert deleted == RowCounts(1_200)
        assert len(await store.list_answers(100)) == 60

    async def test_nothing_is_deleted_of_nobody_or_by_no_age(self, database: Database) -> None:
        retention = Retention(database)
        for caller in ("", " "):
            with pytest.raises(RetentionError, match="empty caller"):
                retention.choose_caller(caller)
        for days in (-1, 1e9, float("nan")):
            with pytest.raises(RetentionError, match="no age"):
                retention.choose_older(days, None)

    async def test_no_feedback_is_kept_on_an_answer_that_is_gone(self, store: Store) -> None:
        with pytest.raises(StoreError):
            await store.save_feedback("gone", True, [], "my name")
        assert await store.list_feedback_keys(9) == []

    async def test_a_conversation_is_listed_oldest_first(self, store: Store) -> None:
        for name, conversation in (("a", "x"), ("b", "y"), ("c", "x"), ("d", "x"), ("e", None)):
            await store.save_answer(name, name, "gcr", 0.1, {}, "", conversation)
        await store.save_answer("f", "f", "gcr", 0.1, {}, "somebody else", "x")
        assert [row.id for row in await store.list_conversation("x", 2)] == ["c", "d"]
        assert await store.list_conversation("z", 2) == []

    async def test_services_whose_clocks_are_an_hour_apart_keep_the_order_of_what_came(
        self, database: Database, store: Store
    ) -> None:
        now = datetime.now(UTC)
        for number, hours in enumerate((1, 0, -1, 1, 0)):
            at = now + timedelta(hours=hours)
            await store.save_answer(str(number), "?", "gcr", 0.1, {}, "", "talk", at)
            await store.save_feedback(str(number), True, [], "")
        assert [row.id for row in await store.list_answers(9)] == list("43210")
        assert [row.id for row in await store.list_conversation("talk", 3)] == list("234")
        assert [id for _, id in await store.list_feedback_keys(9)] == list("43210")
        ahead = KeyRing(KeyTable(database), lambda: now + timedelta(hours=1))
        token = await ahead.create_key("made by a clock that is ahead", ["ask"])
        await ahead.check_token(token, "")
        behind = KeyRing(KeyTable(database), lambda: now - timedelta(hours=1))
        assert (await behind.check_token(token, "")).id == token.id
        await database.finish_writes()

    async def test_answers_of_another_graph_or_asker_are_not_found(
        self, database: Database, store: Store
    ) -> None:
        other = Store(database, "police")
        await store.save_answer("ours", "Who?", "gcr", 0.1, {}, asker="anna")
        await other.save_answer("theirs", "Who?", "gcr", 0.1, {}, asker="anna")
        await other.save_feedback("theirs", True, [], "")
        assert [row.id for row in await store.list_answers(9)] == ["ours"]
        assert await store.find_answer("theirs") is None
        assert await store.list_feedback("theirs") == []
        assert await store.find_answer("ours", "bert") is None
        assert await store.list_answers(9, asker="bert") == []
        assert [row.id for row in await store.list_answers(9, asker="anna")] == ["ours"]

    async def test_many_write_at_once_and_nothing_is_lost(self, store: Store) -> None:
        names = [f"answer {i}" for i in range(60)]
        await asyncio.gather(*(store.save_answer(it, it, "gcr", 0.1, {}) for it in names))
        assert {row.id for row in await store.list_answers(100)} == set(names)

    async def test_a_write_whose_caller_leaves_is_finished(
        self, database: Database, store: Store
    ) -> None:
        asking = [asyncio.create_task(store.save_answer(n, n, "gcr", 0.1, {})) for n in "abcdefgh"]
        await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        await database.finish_writes()
        assert {row.id for row in await store.list_answers(100)} == set("abcdefgh")

    async def test_a_key_is_kept_as_its_hash_and_checked_until_it_is_revoked(
        self, database: Database
    ) -> None:
        ring = KeyRing(KeyTable(database), lambda: NOW)
        token = await ring.create_key("mobile ü", ["ask"], ["atlas"], NOW + timedelta(days=1))
        caller = await ring.check_token(token, "127.0.0.1")
        assert (caller.id, caller.graphs) == (token.id, frozenset({"atlas"}))
        await database.finish_writes()
        [row] = await ring.list_keys()
        assert (row.scopes, row.graphs, row.secret_hash) == (["ask"], ["atlas"], token.secret_hash)
        assert row.used_at is not None
        assert row.used_at.replace(tzinfo=UTC) == NOW
        later = KeyRing(KeyTable(database), lambda: NOW + timedelta(days=2))
        with pytest.raises(KeyRefusedError, match="expired"):
            await later.check_token(token, "127.0.0.1")
        await ring.revoke_key(token.id)
        with pytest.raises(KeyRefusedError, match="revoked"):
            await ring.check_token(token, "127.0.0.1")

    async def test_audit_rows_are_found_by_key_and_graph(self, database: Database) -> None:
        audit = AuditTable(database)
        for row in (build_audit_row("a"), build_audit_row("b", "police"), build_audit_row("a")):
            audit.start_saving(row)
            await audit.finish_writes()
        latest = await audit.list_rows(100)
        assert [row.caller for row in latest] == ["a", "b", "a"]
        assert latest[0].at.replace(tzinfo=UTC) == NOW
        assert [row.number for row in await audit.list_rows(1, caller="a")] == [latest[0].number]
        assert [row.caller for row in await audit.list_rows(100, graph="police")] == ["b"]

    async def test_audit_rows_that_come_at_once_are_all_kept_in_order(
        self, database: Database
    ) -> None:
        audit = AuditTable(database)
        for number in range(50):
            audit.start_saving(build_audit_row("a", path=f"/{number}"))
            if number % 7 == 0:
                await audit.list_rows(1)
        await audit.finish_writes()
        rows = await audit.list_rows(100)
        assert [row.path for row in rows] == [f"/{number}" for number in reversed(range(50))]

    async def test_the_last_calibration_of_a_model_counts_for_its_graph_and_method(
        self, database: Database
    ) -> None:
        police, other = Store(database, "police"), Store(database, "other")
        for temperature in (1.5, 2.5):
            await police.save_calibration("llama at host", "gcr", {"temperature": temperature})
        await other.save_calibration("llama at host", "gcr", {"temperature": 9.0})
        assert await police.find_calibration("llama at host", "gcr") == {"temperature": 2.5}
        assert await other.find_calibration("llama at host", "gcr") == {"temperature": 9.0}
        assert await police.find_calibration("llama at host", "dog") is None
        assert await police.find_calibration("another at host", "gcr") is None
