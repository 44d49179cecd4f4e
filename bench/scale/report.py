"""What was measured of graphs of several sizes, kept as a file, a table and a picture."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.scale.picture import draw_picture

_FILE, _PICTURE, _PAGE = "scale.json", "scale.svg", "scale.md"
_BEGIN, _END = "<!-- scale:begin -->", "<!-- scale:end -->"


@dataclass(frozen=True, slots=True)
class ScaleReport:
    """What was measured, by number of nodes and name."""

    sizes: Mapping[int, Mapping[str, float]]

    @classmethod
    def read(cls, folder: Path) -> ScaleReport:
        """The report of a folder; an empty one if there is none."""
        file = folder / _FILE
        stored = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        return cls({int(nodes): values for nodes, values in stored.items()})

    def add(self, nodes: int, values: Mapping[str, float]) -> ScaleReport:
        """The report with what was measured of one size, in place of what it had of that."""
        return ScaleReport(dict(sorted({**self.sizes, nodes: values}.items())))

    def write(self, folder: Path) -> None:
        """Write the values, the picture, and the table between the marks of the page."""
        folder.mkdir(parents=True, exist_ok=True)
        rounded = {
            nodes: {name: float(f"{value:.4g}") for name, value in values.items()}
            for nodes, values in self.sizes.items()
        }
        (folder / _FILE).write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
        (folder / _PICTURE).write_text(draw_picture(self.sizes), encoding="utf-8")
        page = folder / _PAGE
        text = page.read_text(encoding="utf-8") if page.is_file() else f"{_BEGIN}\n{_END}\n"
        before, _, rest = text.partition(_BEGIN)
        after = rest.partition(_END)[2]
        table = f"{_BEGIN}\n{self.format_table()}{_END}"
        page.write_text(f"{before}{table}{after}", encoding="utf-8")

    def format_table(self) -> str:
        """A row for each thing that was measured, a column for each size."""
        names = dict.fromkeys(name for values in self.sizes.values() for name in values)
        head = ["nodes", *(f"{nodes:,}" for nodes in self.sizes)]
        rows = [head, ["---", *("---:" for _ in self.sizes)]]
        for name in names:
            cells = [
                format_value(name, values[name]) if name in values else ""
                for values in self.sizes.values()
            ]
            rows.append([name.removesuffix(" ms").removesuffix(" GiB"), *cells])
        return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def format_value(name: str, value: float) -> str:
    """A value with its unit: milliseconds, GiB, seconds or a percentage by its name."""
    if name.endswith(" ms"):
        return f"{value / 1000:.1f} s" if value >= 1000 else f"{value:.3g} ms"
    if name.endswith(" GiB"):
        return f"{value:.2f} GiB" if value >= 1 else f"{1024 * value:.0f} MiB"
    if name.endswith("seconds"):
        return f"{value:,.0f} s"
    return f"{value:.1f}" if name.endswith("%") else f"{value:,.0f}"
