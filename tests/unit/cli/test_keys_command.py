"""`trellis keys` and what `trellis serve` decides on keys, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from trellis.access.tokens import KeyToken
from trellis.cli.operation.keys import keys
from trellis.cli.operation.serve import decide_on_keys
from trellis.domain.errors import KeySettingsError, NotKeptError


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRELLIS_STORE_URL", f"sqlite+aiosqlite:///{tmp_path}/keys.db")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(keys, arguments, terminal_width=200)


def list_keys() -> list[dict[str, object]]:
    return [json.loads(line) for line in run("list", "--json").stdout.splitlines()]


def test_a_key_is_shown_once_then_listed_then_revoked() -> None:
    made = run("create", "a page", "--scope", "ask", "--graph", "atlas", "--rate", "5/minute")
    assert made.exit_code == 0
    token = KeyToken.read_text(made.stdout.strip())
    assert token is not None
    assert "not shown again" in made.stderr
    [key] = list_keys()
    assert (key["id"], key["name"], key["state"]) == (token.id, "a page", "valid")
    assert (key["scopes"], key["graphs"], key["rate_limit"]) == (["ask"], ["atlas"], "5/minute")
    assert (key["expires_at"], key["used_at"], key["revoked_at"]) == (None, None, None)
    for shown in (run("list").stdout, run("list", "--json").stdout):
        assert token.id in shown
        assert token.secret not in shown
    assert run("revoke", token.id).stdout == f"revoked {token.id} (a page)\n"
    [key] = list_keys()
    assert key["state"] == "revoked"
    assert key["revoked_at"]


def test_unset_scopes_are_those_that_ask_and_a_key_may_expire() -> None:
    assert run("create", "one", "--days", "0").exit_code == 0
    [key] = list_keys()
    assert (key["scopes"], key["state"]) == (["ask", "retrieve", "feedback"], "expired")


def test_nonsense_is_told() -> None:
    for arguments in (["create", "one", "--scope", "write"], ["create", "one", "--rate", "often"]):
        assert isinstance(run(*arguments).exception, KeySettingsError)
    assert isinstance(run("revoke", "nobody").exception, NotKeptError)
    assert run("create").exit_code == 2
    assert list_keys() == []


def test_an_empty_audit_is_empty() -> None:
    assert run("audit", "--json").stdout == ""


@pytest.mark.parametrize(
    ("address", "is_wanted", "insecure", "required"),
    [
        ("127.0.0.1", False, False, False),
        ("127.0.0.2", False, False, False),
        ("::1", False, False, False),
        ("127.0.0.1", True, False, True),
        ("127.0.0.1", False, True, False),
        ("0.0.0.0", False, False, True),
        ("::", False, False, True),
        ("192.168.0.7", False, False, True),
        ("fe80::1%eth0", False, False, True),
        ("0.0.0.0", False, True, False),
    ],
)
def test_keys_are_asked_for_as_soon_as_it_listens_elsewhere(
    address: str,
    is_wanted: bool,
    insecure: bool,
    required: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert decide_on_keys(address, is_wanted, insecure) is required
    is_told = insecure and not address.startswith("127.")
    assert ("INSECURE" in capsys.readouterr().err) is is_told


def test_insecure_against_the_setting_is_wrong_usage() -> None:
    with pytest.raises(typer.BadParameter):
        decide_on_keys("127.0.0.1", True, True)
