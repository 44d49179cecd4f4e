"""The library of the running Python as a graph of texts: modules, functions and classes with what
their documentation says, as a folder of CSV files."""

from __future__ import annotations

import csv
import importlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType

AREAS: Mapping[str, Sequence[str]] = {
    "text": ("string", "re", "difflib", "textwrap", "unicodedata", "stringprep"),
    "binary data": ("struct", "codecs", "base64", "binascii", "quopri"),
    "dates": ("datetime", "zoneinfo", "calendar", "time"),
    "data types": (
        *("collections", "collections.abc", "heapq", "bisect", "array", "weakref", "types"),
        *("copy", "pprint", "reprlib", "enum", "graphlib"),
    ),
    "mathematics": ("math", "cmath", "decimal", "fractions", "random", "statistics", "numbers"),
    "functional programming": ("itertools", "functools", "operator"),
    "files": (
        *("pathlib", "os.path", "stat", "filecmp", "tempfile", "glob", "fnmatch", "linecache"),
        *("shutil", "fileinput"),
    ),
    "persistence": ("pickle", "copyreg", "shelve", "marshal", "dbm", "sqlite3"),
    "compression": ("zlib", "gzip", "bz2", "lzma", "zipfile", "tarfile"),
    "formats": ("csv", "configparser", "tomllib", "netrc", "plistlib", "json", "mimetypes"),
    "cryptography": ("hashlib", "hmac", "secrets"),
    "operating system": (
        *("os", "io", "argparse", "getopt", "logging", "logging.handlers", "getpass", "platform"),
        *("errno", "signal", "selectors", "select", "mmap"),
    ),
    "concurrency": (
        *("threading", "multiprocessing", "concurrent.futures", "subprocess", "sched", "queue"),
        *("contextvars", "asyncio"),
    ),
    "networking": (
        *("socket", "ssl", "urllib.request", "urllib.parse", "urllib.robotparser", "http.client"),
        *("http.server", "http.cookies", "ftplib", "poplib", "imaplib", "smtplib", "uuid"),
        *("socketserver", "xmlrpc.client", "ipaddress", "webbrowser"),
    ),
    "mail": ("email", "email.message", "email.parser", "email.utils", "mailbox"),
    "markup": ("html", "html.parser", "xml.etree.ElementTree", "xml.dom.minidom", "xml.sax"),
    "sound and colour": ("wave", "colorsys"),
    "languages": ("gettext", "locale"),
    "command lines": ("cmd", "shlex"),
    "development": ("typing", "pydoc", "doctest", "unittest", "unittest.mock"),
    "debugging": ("bdb", "faulthandler", "pdb", "timeit", "trace", "tracemalloc", "cProfile"),
    "runtime": (
        *("sys", "sysconfig", "warnings", "dataclasses", "contextlib", "abc", "atexit"),
        *("traceback", "gc", "inspect", "site"),
    ),
    "imports": ("zipimport", "pkgutil", "modulefinder", "runpy", "importlib"),
    "source code": ("ast", "symtable", "token", "keyword", "tokenize", "dis", "pickletools"),
}
"""The modules of each area."""


def write_library_graph(folder: Path) -> None:
    """Write the library's graph: `library.nodes.*.csv` and `library.relationships.*.csv`."""
    folder.mkdir(parents=True, exist_ok=True)
    modules = {name: importlib.import_module(name) for each in AREAS.values() for name in each}
    members = {name: list(_list_members(name, module)) for name, module in modules.items()}
    named = [(f"{name}.{of}", member) for name, some in members.items() for of, member in some]
    classes = {member: name for name, member in named if inspect.isclass(member)}
    _write(folder, "nodes.Area", ("name:ID", ":LABEL"), ((area, "Area") for area in AREAS))
    texts = ("name:ID", "documentation", ":LABEL")
    rows = ((name, inspect.getdoc(module), "Module") for name, module in modules.items())
    _write(folder, "nodes.Module", texts, rows)
    rows = ((name, inspect.getdoc(of), _read_label(of)) for name, of in named)
    _write(folder, "nodes.Member", texts, rows)
    pairs = ((name, area) for area, some in AREAS.items() for name in some)
    _write_pairs(folder, "IN_AREA", pairs)
    pairs = ((f"{name}.{of}", name) for name, some in members.items() for of, _ in some)
    _write_pairs(folder, "DEFINED_IN", pairs)
    pairs = (
        (name, classes[base])
        for of, name in classes.items()
        for base in of.__bases__
        if base in classes
    )
    _write_pairs(folder, "EXTENDS", pairs)


def _list_members(name: str, module: ModuleType) -> Iterator[tuple[str, object]]:
    """The public functions and classes that a module defines, or that it takes from the module of
    C behind it, as far as they are documented."""
    own = {name, f"_{name}", "builtins", "posix", "nt"}
    shown = getattr(module, "__all__", None) or [each for each in vars(module) if each[0] != "_"]
    for each in sorted(shown):
        member = getattr(module, each, None)
        is_kind = inspect.isroutine(member) or inspect.isclass(member)
        home = str(getattr(member, "__module__", None) or name)
        is_own = home in own or home.startswith(f"{name}.") or "__all__" in vars(module)
        if is_kind and is_own and inspect.getdoc(member):
            yield each, member


def _read_label(member: object) -> str:
    return "Class" if inspect.isclass(member) else "Function"


def _write_pairs(folder: Path, type_: str, pairs: Iterator[tuple[str, str]]) -> None:
    _write(folder, f"relationships.{type_}", (":START_ID", ":END_ID"), pairs)


def _write(
    folder: Path, kind: str, header: Sequence[str], rows: Iterator[tuple[str | None, ...]]
) -> None:
    with (folder / f"library.{kind}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
