"""Chooses the media type of a response by what a request accepts (RFC 9110, section 12.5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.domain.errors import NotAcceptableError


def choose_media_type(accept: str, offered: Sequence[str]) -> str:
    """The offered media type that an `Accept` header wants most; of equals the one it names first,
    and the first one where it names none.

    Raises NotAcceptableError where it wants none of them.
    """
    ranges = [*_iterate_ranges(accept)] or [("*/*", 1.0)]
    ranked = [(_weigh(media_type, ranges), media_type) for media_type in offered]
    best = max(ranked, key=lambda pair: pair[0])
    if best[0][0] <= 0:
        wanted = ", ".join(name for name, _ in ranges)
        raise NotAcceptableError(f"{wanted} cannot be given here", f"accept {' or '.join(offered)}")
    return best[1]


def _weigh(media_type: str, ranges: Sequence[tuple[str, float]]) -> tuple[float, int]:
    """How much a media type is wanted, by the most exact range that it is of, and how early."""
    kind = f"{media_type.partition('/')[0]}/*"
    for exact in (media_type, kind, "*/*"):
        for place, (name, quality) in enumerate(ranges):
            if name == exact:
                return quality, -place
    return 0.0, 0


def _iterate_ranges(accept: str) -> Iterator[tuple[str, float]]:
    """The media ranges of a header with their qualities; a quality that is no number counts 1."""
    for part in accept.split(","):
        name, *parameters = (each.strip().lower() for each in part.split(";"))
        given = next((each[2:] for each in parameters if each.startswith("q=")), "1")
        if name:
            yield name, _read_quality(given)


def _read_quality(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return 1.0
