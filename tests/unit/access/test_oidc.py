"""Bearer tokens of an issuer: real keys, and a small server that publishes them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from trellis.access.oidc import TokenIssuer
from trellis.domain.errors import IssuerError, KeyRefusedError

RSA = rsa.generate_private_key(65537, 2048)
OTHER_RSA = rsa.generate_private_key(65537, 2048)
EC = ec.generate_private_key(ec.SECP256R1())


class IssuerServer:
    """Publishes an issuer's description and its keys."""

    def __init__(self) -> None:
        self.keys: list[dict[str, Any]] = []
        self.requests: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.requests.append(self.path)
                described = {"issuer": outer.url, "jwks_uri": f"{outer.url}/keys"}
                body = {"keys": outer.keys} if self.path == "/keys" else described
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[IssuerServer]:
    opened = IssuerServer()
    opened.keys = [
        {**RSAAlgorithm.to_jwk(RSA.public_key(), as_dict=True), "kid": "rsa", "use": "sig"},
        {**ECAlgorithm.to_jwk(EC.public_key(), as_dict=True), "kid": "ec", "use": "sig"},
    ]
    yield opened
    opened.close()


@pytest.fixture
def issuer(server: IssuerServer) -> Iterator[TokenIssuer]:
    opened = TokenIssuer(server.url, "trellis")
    yield opened
    opened.close()


def sign(
    server: IssuerServer, key: Any = RSA, kid: str = "rsa", algorithm: str = "RS256", **more: Any
) -> str:
    claims = {
        "iss": server.url,
        "aud": "trellis",
        "sub": "ada",
        "exp": time.time() + 600,
        "scope": "openid ask cypher",
        **more,
    }
    kept = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(kept, key, algorithm, headers={"kid": kid})


async def test_a_token_speaks_for_its_subject(server: IssuerServer, issuer: TokenIssuer) -> None:
    caller = await issuer.check_token(sign(server), "10.0.0.1")
    assert (caller.id, caller.scopes, caller.graphs) == ("oidc:ada", {"ask", "cypher"}, set())
    token = sign(server, EC, "ec", "ES256", scope="admin graph:atlas graph:police")
    caller = await issuer.check_token(token, "")
    assert (caller.scopes, caller.graphs) == ({"admin"}, {"atlas", "police"})
    assert server.requests == ["/.well-known/openid-configuration", "/keys"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "changed",
    [
        {"exp": 1},
        {"exp": None},
        {"aud": "another"},
        {"aud": None},
        {"iss": "http://elsewhere"},
        {"sub": None},
        {"sub": ""},
        {"sub": "a\0b"},
        {"sub": "a" * 256},
        {"nbf": 4_000_000_000},
        {"key": OTHER_RSA},
        {"kid": "unknown"},
        {"kid": "ec"},
    ],
    ids=lambda changed: "another key" if "key" in changed else str(changed),
)
async def test_a_token_that_is_not_right_in_all_is_refused(
    server: IssuerServer, issuer: TokenIssuer, changed: dict[str, Any]
) -> None:
    with pytest.raises(KeyRefusedError):
        await issuer.check_token(sign(server, **changed), "")


async def test_a_token_is_never_checked_with_a_secret_or_not_at_all(
    server: IssuerServer, issuer: TokenIssuer
) -> None:
    unsigned = jwt.encode({"sub": "ada"}, None, "none", headers={"kid": "rsa"})
    public = json.dumps(server.keys[0])
    with_public_key = sign(server, "x" * 32 + public.replace("-----", ""), "rsa", "HS256")
    for token in (unsigned, with_public_key, "a.b.c", "..", sign(server)[:-4] + "AAAA"):
        with pytest.raises(KeyRefusedError):
            await issuer.check_token(token, "")


async def test_unknown_keys_do_not_make_the_service_ask_each_time(
    server: IssuerServer, issuer: TokenIssuer
) -> None:
    await issuer.check_token(sign(server), "")
    for number in range(10):
        with pytest.raises(KeyRefusedError):
            await issuer.check_token(sign(server, kid=f"made-up-{number}"), "")
    assert len(server.requests) == 2


async def test_a_scope_that_is_no_text_gives_nothing(
    server: IssuerServer, issuer: TokenIssuer
) -> None:
    for scope in (None, 7, ["ask", 3], {"ask": 1}):
        caller = await issuer.check_token(sign(server, scope=scope), "")
        assert caller.scopes == ({"ask"} if isinstance(scope, list) else set())


async def test_an_issuer_that_is_away_refuses_nobody_for_good(server: IssuerServer) -> None:
    token = sign(server)
    server.close()
    issuer = TokenIssuer(server.url, "trellis")
    for url in (None, f"{server.url}/keys"):
        away = TokenIssuer(server.url, "trellis", url)
        with pytest.raises(IssuerError, match="cannot be fetched"):
            await away.check_token(token, "")
        away.close()
    issuer.close()
