"""What was measured of large graphs is kept, as a table and as a picture."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from bench.made.graph_files import MadeGraph
from bench.scale.report import ScaleReport
from trellis.graph.loading.load import open_source
from trellis.graph.loading.rows import BadRows

_SMALL = {"import, seconds": 12.0, "linking ms": 4.25, "store GiB": 0.05, "new ms": 7.0}
_LARGE = {"import, seconds": 1_300.0, "linking ms": 1_900.0, "store GiB": 5.5}


def test_sizes_are_gathered_in_the_page_whose_text_stays(tmp_path: Path) -> None:
    page = tmp_path / "scale.md"
    page.write_text("# Scale\n<!-- scale:begin -->\nold\n<!-- scale:end -->\nthe end\n")
    ScaleReport.read(tmp_path).add(1_000_000, _LARGE).write(tmp_path)
    ScaleReport.read(tmp_path).add(100_000, {"import, seconds": 99.0}).write(tmp_path)
    ScaleReport.read(tmp_path).add(100_000, _SMALL).write(tmp_path)
    assert page.read_text().splitlines() == [
        "# Scale",
        "<!-- scale:begin -->",
        "| nodes | 100,000 | 1,000,000 |",
        "| --- | ---: | ---: |",
        "| import, seconds | 12 s | 1,300 s |",
        "| linking | 4.25 ms | 1.9 s |",
        "| store | 51 MiB | 5.50 GiB |",
        "| new | 7 ms |  |",
        "<!-- scale:end -->",
        "the end",
    ]


def test_the_picture_has_a_line_for_each_thing_that_takes_time(tmp_path: Path) -> None:
    ScaleReport({100_000: _SMALL, 1_000_000: _LARGE}).write(tmp_path)
    picture = ElementTree.parse(tmp_path / "scale.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert len(picture.findall(f"{space}polyline")) == 3
    texts = {text.text for text in picture.iter(f"{space}text")}
    assert {"import", "linking", "new", "100,000", "1,000,000"} <= texts
    assert "store GiB" not in texts


def test_a_made_graph_can_be_loaded_and_has_a_hub(tmp_path: Path) -> None:
    made, bad_rows = MadeGraph(1_000), BadRows()
    made.write_files(tmp_path / "made")
    source = open_source(tmp_path / "made")
    survey = source.survey_rows(bad_rows)
    bad_rows.raise_if_any()
    assert (survey.nodes, survey.relationships) == (made.nodes, made.edges)
    at_hub = {row.start for row in source.read_relationships() if row.end == "\t0"}
    assert len(at_hub) >= 100
    labels = {row.key: row.labels for row in source.read_nodes()}
    ends = {(labels[row.start], row.type, labels[row.end]) for row in source.read_relationships()}
    assert len(ends) == 16
    assert (("Person",), "LIVES_IN", ("Place",)) in ends
