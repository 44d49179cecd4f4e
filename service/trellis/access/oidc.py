"""Checks the bearer tokens of an OpenID Connect issuer (JWT, RFC 7519 and RFC 9068)."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jwt
from jwt import PyJWKClient

from trellis.access.callers import SCOPES, Caller
from trellis.domain.errors import IssuerError, KeyRefusedError

_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
_SECONDS = 5.0  # that the issuer may take
_LEEWAY = 30.0  # seconds that clocks may differ
_GRAPH = "graph:"
_LONGEST_SUBJECT = 255  # OpenID Connect Core 1.0, section 2


class TokenIssuer:
    """An issuer, whose keys are fetched at the first token and again where a token names a new one.

    `keys_url`: where its keys are; None: where the issuer's own description says.
    """

    def __init__(self, issuer: str, audience: str, keys_url: str | None = None) -> None:
        self._issuer, self._audience, self._keys_url = issuer, audience, keys_url
        self._keys: PyJWKClient | None = None
        self._threads = ThreadPoolExecutor(2, "oidc")  # an issuer that hangs holds no others

    def close(self) -> None:
        """End the threads, once what they do has ended."""
        self._threads.shutdown(wait=False)

    async def check_token(self, token: str, address: str) -> Caller:
        """Who the token speaks for; KeyRefusedError where it is not valid here.

        IssuerError where the issuer's keys cannot be fetched.
        """
        loop = asyncio.get_running_loop()
        claims = await loop.run_in_executor(self._threads, self._read_claims, token)
        subject = str(claims["sub"])
        if not 0 < len(subject) <= _LONGEST_SUBJECT or not subject.isprintable():
            raise KeyRefusedError("the token's subject is empty, too long or unprintable")
        named = _list_scopes(claims)
        graphs = {scope.removeprefix(_GRAPH) for scope in named if scope.startswith(_GRAPH)}
        return Caller(f"oidc:{subject}", frozenset(SCOPES) & named, frozenset(graphs), address)

    def _read_claims(self, token: str) -> Mapping[str, Any]:
        try:
            key = self._find_keys().get_signing_key_from_jwt(token)
            claims: Mapping[str, Any] = jwt.decode(
                token,
                key,
                algorithms=_ALGORITHMS,
                audience=self._audience,
                issuer=self._issuer,
                leeway=_LEEWAY,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except jwt.PyJWKClientConnectionError as error:
            raise self._build_issuer_error() from error
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise KeyRefusedError(
                f"the token is not valid here ({type(error).__name__})",
                f"send one that {self._issuer} gave for the audience {self._audience!r}",
            ) from error
        return claims

    def _find_keys(self) -> PyJWKClient:
        if self._keys is None:
            url = self._keys_url or self._discover_keys_url()
            self._keys = PyJWKClient(url, timeout=_SECONDS)
        return self._keys

    def _discover_keys_url(self) -> str:
        """Where the issuer's description says that its keys are (OpenID Connect Discovery 1.0)."""
        url = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
        try:
            with urllib.request.urlopen(url, timeout=_SECONDS) as response:
                return str(json.load(response)["jwks_uri"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._build_issuer_error() from error

    def _build_issuer_error(self) -> IssuerError:
        return IssuerError(
            f"the keys of {self._issuer} cannot be fetched",
            "try again; whoever runs the service: check TRELLIS_OIDC_ISSUER",
        )


def _list_scopes(claims: Mapping[str, Any]) -> frozenset[str]:
    """The scopes of a token: a text of names with spaces between, or a list of names."""
    scope = claims.get("scope", "")
    names = scope.split() if isinstance(scope, str) else scope if isinstance(scope, list) else ()
    return frozenset(name for name in names if isinstance(name, str))
