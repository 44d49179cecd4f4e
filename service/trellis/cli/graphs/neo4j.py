"""`trellis neo4j`: a real Neo4j with our procedures, in the foreground until stopped."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from trellis.domain.errors import ServiceError

DEFAULT_DATABASE = "neo4j"
_LEAST_JAVA = 17
_PASSWORD_VARIABLE = "TRELLIS_NEO4J_PASSWORD"
_QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")  # without the optimising compiler
_JAR = Path("cypher", "embedded", "target", "trellis-embedded.jar")


def neo4j(
    data: Annotated[Path, typer.Option(help="Folder of the database.")] = Path("var/neo4j"),
    bolt_port: Annotated[int, typer.Option(min=0, max=65535, help="0: a free one.")] = 7687,
    password: Annotated[
        str, typer.Option(envvar=_PASSWORD_VARIABLE, help="Unset: no authentication.")
    ] = "",
    page_cache: Annotated[
        str, typer.Option(help="Memory for the store's pages, such as 1g.")
    ] = "256m",
    quick_start: Annotated[
        bool,
        typer.Option(
            "--quick-start", help="Start with half the processor time; slower on large graphs."
        ),
    ] = False,
) -> None:
    """Run Neo4j on loopback; says `ready bolt://…` on standard output, ends cleanly on SIGTERM.

    This process becomes Java, so that signals reach Neo4j itself.
    """
    options = _QUICK_START if quick_start else ()
    command = build_neo4j_command(data, bolt_port, options, page_cache)
    sys.stdout.flush()
    os.execve(command[0], command, build_neo4j_environment(password))


def build_neo4j_command(
    data: Path, bolt_port: int, java_options: Sequence[str] = (), page_cache: str = ""
) -> list[str]:
    """The command line of the embedded Neo4j; raises ServiceError where a part is missing."""
    command = [str(find_java()), *java_options, "-jar", str(find_jar())]
    command += ["--data", str(data.absolute()), "--bolt-port", str(bolt_port)]
    return command + (["--page-cache", page_cache] if page_cache else [])


def build_admin_command() -> list[str]:
    """The command line of Neo4j's tools for databases that no server has open."""
    return [str(find_java()), "-cp", str(find_jar()), "org.neo4j.cli.AdminTool"]


def build_neo4j_environment(password: str) -> dict[str, str]:
    """This process's environment, with the password: everybody on the machine sees arguments."""
    return {**os.environ, _PASSWORD_VARIABLE: password}


def find_jar() -> Path:
    """`TRELLIS_NEO4J_JAR`, or what `make` built in this checkout."""
    named = os.environ.get("TRELLIS_NEO4J_JAR")
    roots = (Path(__file__).resolve().parents[4], Path.cwd())
    for jar in [Path(named)] if named else [root / _JAR for root in roots]:
        if jar.is_file():
            return jar
    raise ServiceError(
        f"the embedded Neo4j is not built ({named or _JAR} is missing)",
        "run `make java` in the project's folder, or set TRELLIS_NEO4J_JAR",
    )


def find_java() -> Path:
    """Java of JAVA_HOME, else of PATH; raises ServiceError if it is missing or too old."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home) / "bin") if home else None)
    if java is None:
        where = f"in JAVA_HOME ({home})" if home else "on the PATH"
        raise ServiceError(f"no Java {where}", _INSTALL)
    if (version := _read_java_version(java)) < _LEAST_JAVA:
        raise ServiceError(f"{java} is Java {version}, Neo4j needs {_LEAST_JAVA}", _INSTALL)
    return Path(java)


def _read_java_version(java: str) -> int:
    """The feature release: 17 of `17.0.15`, 8 of `1.8.0`; 0 if `java -version` shows none."""
    output = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    match = re.search(r'version "(?:1\.)?(\d+)', output.stderr + output.stdout)
    return int(match[1]) if match else 0


_INSTALL = f"install a JDK {_LEAST_JAVA} or later, or point JAVA_HOME at one"
