"""Questions in plain language over a Neo4j graph; every answer carries the facts it stands on.

Its packages and modules, from the lowest floor to the highest (ARCHITECTURE.md draws them, and
import-linter holds them to it):

    settings     all settings, from the environment or a `.env` file
    logs         structured logs without what was asked
    domain       values, ports and errors that all others share
    migration_files  where the migrations lie
    lexicon      how English speaks of relations, kinds and properties
    linking      how the text of a question is cut and compared, without I/O
    automata     languages and the token automaton
    decoding     leading a model through a token automaton
    models       model folders: cards, weights, vocabularies
    steps        the steps of a question
    pipelines    one method each, built of steps
    prompting    prompts for general models
    wire         what travels over HTTP
    http         what the service and the worker both do as servers of HTTP
    engines      what runs a model: on this machine, in a worker, or hosted
    graph        Neo4j
    store        the answers that were given
    client       a typed client of the service
    worker       the decoding worker, in an environment of its own
    questions    the files of questions and claims
    evaluation   suites of questions, metrics and reports
    training     from questions or a bare graph to a model folder
    batch        many questions, answered by processes on Ray
    methods      the registry of methods
    graphs_file  the graphs that one service serves
    app          a running Trellis
    access       who may ask what, how often, and what is written down of it
    wiring       the one place where parts are put together
    page         the page at `/`: plain files
    api          the HTTP service
    cli          the `trellis` command

Users of the package import `Client` from here; everything else is internal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trellis.client import Client as Client

__version__ = "0.1.0"
__all__ = ["Client", "__version__"]


def __getattr__(name: str) -> Any:
    """`from trellis import Client` loads the client then, and nothing else of ours."""
    if name != "Client":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from trellis.client import Client

    return Client
