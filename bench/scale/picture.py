"""A picture of cost against size: one line for each thing that takes time, both axes by powers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, floor, log10

_WIDTH, _HEIGHT, _LEFT, _TOP, _PLOT_WIDTH, _PLOT_HEIGHT = 900, 520, 70, 20, 470, 440
_COLOURS = ("#1b6ca8", "#c8553d", "#2d7d46", "#8e5ea2", "#b8860b", "#3c3c3c", "#d46a9f", "#4fa3a5")
_DASHES = ("", "6 3", "2 3")

Points = list[tuple[float, float]]


def draw_picture(sizes: Mapping[int, Mapping[str, float]]) -> str:
    """An SVG picture of all that was measured in time, in seconds."""
    lines = _collect_lines(sizes)
    values = [seconds for points in lines.values() for _, seconds in points] or [1.0]
    x_range = _find_powers([float(nodes) for nodes in sizes] or [1.0])
    y_range = _find_powers(values)
    parts = [*_draw_grid(x_range, y_range)]
    last = sorted(lines.items(), key=lambda line: -line[1][-1][1])
    for number, (name, points) in enumerate(last):
        parts += _draw_line(number, name, points, x_range, y_range)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img">\n'
        f"<title>Seconds against the number of nodes</title>\n"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>\n{body}\n</svg>\n'
    )


def _collect_lines(sizes: Mapping[int, Mapping[str, float]]) -> dict[str, Points]:
    lines: dict[str, Points] = {}
    for nodes, values in sizes.items():
        for name, value in values.items():
            if name.endswith((" ms", ", seconds")) and value > 0:
                seconds = value / 1000 if name.endswith(" ms") else value
                shown = name.removesuffix(" ms").removesuffix(", seconds")
                lines.setdefault(shown, []).append((nodes, seconds))
    return lines


def _find_powers(values: list[float]) -> tuple[int, int]:
    """The powers of ten around the values."""
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return low, max(high, low + 1)


def _draw_grid(x_range: tuple[int, int], y_range: tuple[int, int]) -> Iterator[str]:
    bottom, right = _TOP + _PLOT_HEIGHT, _LEFT + _PLOT_WIDTH
    for power in range(x_range[0], x_range[1] + 1):
        x = _place_x(10.0**power, x_range)
        yield f'<line x1="{x:.0f}" y1="{_TOP}" x2="{x:.0f}" y2="{bottom}" stroke="#ddd"/>'
        yield f'<text x="{x:.0f}" y="{bottom + 18}" text-anchor="middle">{10**power:,}</text>'
    for power in range(y_range[0], y_range[1] + 1):
        y = _place_y(10.0**power, y_range)
        yield f'<line x1="{_LEFT}" y1="{y:.0f}" x2="{right}" y2="{y:.0f}" stroke="#ddd"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.0f}" text-anchor="end">{10.0**power:g} s</text>'
    middle = _LEFT + _PLOT_WIDTH / 2
    yield f'<text x="{middle:.0f}" y="{bottom + 40}" text-anchor="middle">nodes</text>'


def _draw_line(
    number: int, name: str, points: Points, x_range: tuple[int, int], y_range: tuple[int, int]
) -> Iterator[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    dash = _DASHES[number // len(_COLOURS) % len(_DASHES)]
    style = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}" fill="none"'
    placed = [(_place_x(x, x_range), _place_y(y, y_range)) for x, y in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
    yield f'<polyline points="{path}" {style}/>'
    for x, y in placed:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
    left, y = _LEFT + _PLOT_WIDTH + 20, _TOP + 10 + 18 * number
    yield f'<line x1="{left}" y1="{y}" x2="{left + 24}" y2="{y}" {style}/>'
    yield f'<text x="{left + 30}" y="{y + 4}">{name}</text>'


def _place_x(value: float, powers: tuple[int, int]) -> float:
    return _LEFT + _PLOT_WIDTH * (log10(value) - powers[0]) / (powers[1] - powers[0])


def _place_y(value: float, powers: tuple[int, int]) -> float:
    share = (log10(value) - powers[0]) / (powers[1] - powers[0])
    return _TOP + _PLOT_HEIGHT * (1 - share)
