"""All settings, from the environment (`TRELLIS_*`) or a `.env` file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from trellis.models.folder_list import split_folders

_ORIGIN = re.compile(r"https?://[^/\s?#@]+")

DEFAULT_GRAPH = "default"
BUNDLED_MODEL = Path(__file__).parent / "demo" / "model"
BUNDLED_GRAPH = BUNDLED_MODEL.parent / "atlas"


class Settings(BaseSettings):
    """Settings of the service and the command line; each is documented by its description."""

    model_config = SettingsConfigDict(
        env_prefix="TRELLIS_", env_file=".env", extra="ignore", protected_namespaces=()
    )

    neo4j_uri: str = Field(
        "bolt://127.0.0.1:7687",
        description="Address of Neo4j: `bolt://`, of a cluster `neo4j://`; with TLS `…+s://`.",
    )
    neo4j_user: str = Field("neo4j", description="User of Neo4j.")
    neo4j_password: SecretStr = Field(
        SecretStr(""), description="Password of Neo4j; empty: no authentication."
    )
    neo4j_browser_url: str = Field(
        "",
        description="Address of Neo4j Browser, as `http://localhost:7474/browser/`: the page opens "
        "queries there; empty: it offers no link.",
    )
    neo4j_database: str | None = Field(None, description="Database; unset: the server's default.")
    graph: str = Field(
        DEFAULT_GRAPH,
        description="Name of the graph, under which all that is kept of it stands. If set, "
        "commands that ask a service ask this one of its graphs.",
    )
    graphs_file: Path | None = Field(
        None,
        description="File of the graphs that the service serves (TOML or JSON), each with address, "
        "model and settings of its own; unset: the one of these settings.",
    )
    graph_config: Path | None = Field(
        None,
        description="File that describes your graph (TOML): naming properties, synonyms, what is "
        "hidden, example questions.",
    )
    query_timeout: float = Field(20.0, gt=0, description="Seconds a query may take in Neo4j.")
    model: str | None = Field(
        None,
        description="Models, comma-separated: folders of `trellis train`; `reader`, which answers "
        "over any graph at once (`untrained` is its other name); other models that nobody trained "
        "for the graph, by a Hugging Face folder, an id of its hub, or `smollm2`. Where several do "
        "a task, the first one does it. Unset: the bundled atlas model on its own graph, and "
        "`reader` on any other.",
    )
    shots: int = Field(
        8,
        ge=0,
        le=32,
        description="Examples that a model is shown which was trained for no graph: the user's "
        "own, and others made from the live schema; 0: none.",
    )
    rendering: Literal["brief", "cypher"] = Field(
        "brief",
        description="How such a model writes queries: in few words, or as Cypher is written.",
    )
    examples: str = Field(
        "",
        description="Files of questions, comma-separated, whose queries, paths or answers are "
        "among these examples.",
    )
    feedback_examples: bool = Field(
        True,
        description="Whether answers that people judged are among these examples: the question, "
        "and what a right answer was read from, or what gives the one that was named.",
    )
    prompt_tokens: int = Field(
        3_000,
        ge=64,
        description="Tokens that the prompt of such a model may take, schema and examples "
        "included; never more than it can read.",
    )
    lora_rank: int = Field(
        16, ge=1, le=512, description="Rank of the adapter that `trellis train` tunes a model by."
    )
    lora_alpha: int | None = Field(
        None, ge=1, description="What the adapter is scaled by, over its rank; unset: twice that."
    )
    lora_targets: str = Field(
        "",
        description="Layers that the adapter changes, comma-separated, such as `q_proj,v_proj`; "
        "empty: all matrices.",
    )
    training_memory: int = Field(
        0,
        ge=0,
        description="MiB that tuning a model may take on its device; 0: what is free there.",
    )
    device: str | None = Field(None, description="Torch device; unset: CUDA where there is one.")
    worker_url: str | None = Field(
        None,
        description="Addresses of decoding workers: replicas of one model with commas between, "
        "those of several models with semicolons. For what they do they go before "
        "`TRELLIS_MODEL`.",
    )
    worker_key: SecretStr = Field(
        SecretStr(""), description="Key of the decoding workers; empty: they ask for none."
    )
    worker_timeout: float = Field(
        30.0, gt=0, description="Seconds that one decode may take, asking another worker included."
    )
    decoder_url: str | None = Field(
        None,
        description="Base URL of an OpenAI-compatible chat model that does what no worker and no "
        "folder of `TRELLIS_MODEL` does, inside the language; unset: none.",
    )
    decoder_model: str = Field("", description="Model name that the decoder is asked for.")
    decoder_key: SecretStr = Field(SecretStr(""), description="API key of the decoder.")
    decoder_timeout: float = Field(60.0, gt=0, description="Seconds one decoder call may take.")
    decoder_hops: int = Field(2, ge=1, le=5, description="Relations in a decoder's path, at most.")
    decoder_samples: int = Field(
        4,
        ge=1,
        le=32,
        description="Texts that the decoder is asked for at each search; how probable each is "
        "comes from their log-probabilities, or from how many agree.",
    )
    decoder_means: Literal["auto", "structured_outputs", "ebnf", "gbnf", "json", "text"] = Field(
        "auto",
        description="How the decoder is kept inside the language: a grammar "
        "(`structured_outputs`: vLLM; `ebnf`: SGLang; `gbnf`: llama.cpp), a `json` schema, or "
        "`text` that is read; `auto`: the strongest that its server obeys.",
    )
    hosted_calls: int = Field(
        16,
        ge=1,
        description="Calls of hosted models, decoder and reasoner, that a question may take.",
    )
    hosted_tokens: int = Field(
        200_000,
        ge=1,
        description="Tokens, read and written, after which a question makes no further call.",
    )
    reasoner_url: str | None = Field(
        None,
        description="Base URL of an OpenAI-compatible reasoner that words answers; unset: none.",
    )
    reasoner_model: str = Field("", description="Model name that the reasoner is asked for.")
    reasoner_key: SecretStr = Field(SecretStr(""), description="API key of the reasoner.")
    reasoner_timeout: float = Field(30.0, gt=0, description="Seconds the reasoner may take.")
    reasoner_tokens: int = Field(
        6_000, ge=100, description="Tokens, about, that the facts shown to the reasoner may take."
    )
    reasoner_written_tokens: int = Field(
        1_024, ge=16, description="Tokens that the reasoner may write, its thoughts apart."
    )
    reasoner_chooses: bool = Field(
        False,
        description="Whether the reasoner may leave out answers and add other nodes that were "
        "found, where it cites a fact for each; unset: it words the answers, and orders those that "
        "are believed equally.",
    )
    thought_tokens: int = Field(
        2_048,
        ge=0,
        description="Tokens that a hosted model which thinks before it writes may take for that, "
        "beside its text.",
    )
    store_url: str = Field(
        "sqlite+aiosqlite:///trellis.db",
        description="SQLAlchemy address of the answer store; its driver may be left out.",
    )
    answer_days: float = Field(
        0,
        ge=0,
        le=100_000,
        description="Days that answers are kept, with the feedback on them; the service deletes "
        "older ones. 0: until somebody deletes them.",
    )
    audit_days: float = Field(
        0,
        ge=0,
        le=100_000,
        description="Days that audit rows are kept; the service deletes older ones. 0: for good.",
    )
    embedder: str = Field(
        "minilm", description="`minilm` (offline), or any sentence-transformers model."
    )
    ranker: str = Field(
        "",
        description="A cross-encoder that reads the texts of nodes which a question describes, and "
        "orders them beside the search: a folder of `trellis train --task rank`, or any of "
        "sentence-transformers; empty: none.",
    )
    text_passages: int = Field(
        200_000,
        ge=0,
        description="Passages of long texts whose vectors `trellis index` keeps in the graph, at "
        "most (2 kB each); texts beyond them are found by their words alone.",
    )
    cache: Path = Field(
        Path.home() / ".cache" / "trellis",
        description="Folder for converted base models and tries built ahead.",
    )
    trie_cache: int = Field(
        256,
        ge=0,
        description="MiB of neighbourhoods kept in memory; 0: none kept, none read from the cache.",
    )
    trie_age: float = Field(
        0,
        ge=0,
        description="Seconds for which a kept neighbourhood is served without asking Neo4j whether "
        "it has changed; replies say so. 0: it is always asked.",
    )
    answer_cache: int = Field(
        64,
        ge=0,
        description="MiB of replies that the service keeps in memory, each until anything in the "
        "graph changes; 0: none.",
    )
    data: Path = Field(Path("../shared/data"), description="Folder of the benchmark data.")
    width: int = Field(10, ge=1, le=100, description="Candidates decoded for a question (K).")
    diversity: float = Field(
        0.0, ge=0, description="What a beam pays for a token that another takes (0: plain beams)."
    )
    model_memory: int = Field(
        0, ge=0, description="MiB that the weights of all models may take together (0: no bound)."
    )
    methods_at_once: int = Field(
        2, ge=1, le=16, description="Methods that `auto` asks side by side for one question."
    )
    edge_budget: int = Field(
        200_000, ge=1, description="Adjacency entries that a neighbourhood may hold."
    )
    grounded_hops: int = Field(
        0,
        ge=0,
        le=4,
        description="Relationships, from the nodes of what was linked, within which a query says "
        "only what exists (0: what the schema allows).",
    )
    connection_paths: int = Field(
        5,
        ge=1,
        le=50,
        description="Paths that are given where a question asks how two things are connected, or "
        "things where it asks what they share.",
    )
    connection_steps: int = Field(
        6, ge=1, le=12, description="Relationships that such a path may have."
    )
    connection_hub: int = Field(
        200,
        ge=1,
        description="Relationships of a node beyond which it is a hub: paths through hubs come "
        "last.",
    )
    answer_limit: int = Field(1_000, ge=1, description="Answers that grounding may return.")
    cypher_budget: float = Field(
        1_000_000, gt=0, description="Rows that the plan of a query may expect; more is refused."
    )
    cypher_seconds: float = Field(
        60.0,
        ge=0,
        description="Seconds of Neo4j that queries of a key, or of an address where no key is "
        "asked for, may use in a minute; 0: as many as they like.",
    )
    cypher_rows: int = Field(10_000, ge=1, description="Rows that a query may give.")
    cypher_bytes: int = Field(4_000_000, ge=1, description="Bytes that they may have, about.")
    cypher_length: int = Field(10_000, ge=1, description="Characters that a query may have.")
    question_timeout: float = Field(
        60.0, gt=0, description="Seconds that a question may take, waiting and all."
    )
    token_budget: int = Field(
        1_024, ge=8, le=4_096, description="Tokens that a candidate may have."
    )
    concurrency: int = Field(8, ge=1, description="Questions that are answered at once.")
    waiting: int = Field(
        64, ge=0, description="Questions that may wait for their turn; more are refused (429)."
    )
    log_format: Literal["console", "json"] = Field(
        "console", description="How the service logs: `console` or `json`, on standard error."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least that is logged: `debug`, `info`, `warning` or `error`."
    )
    log_questions: bool = Field(False, description="Whether logs may hold what was asked.")
    mcp: bool = Field(True, description="Whether `/mcp` serves tools to agents (extra `mcp`).")
    mcp_cypher: bool = Field(
        False, description="Whether agents may run Cypher queries that only read."
    )
    otlp_url: str | None = Field(
        None,
        description="Where OpenTelemetry traces go (OTLP over HTTP), such as "
        "`http://localhost:4318/v1/traces`; unset: nowhere.",
    )
    require_keys: bool = Field(
        False,
        description="Whether requests need a key on loopback too. Elsewhere `trellis serve` always "
        "asks for one, but for `--insecure`.",
    )
    published_on_loopback: bool = Field(
        False,
        description="Whether the port is published on loopback alone, as `docker-compose.yml` does "
        "with that of its container: `trellis serve` then asks for keys, and goes by names, as on "
        "loopback, wherever it listens.",
    )
    allowed_hosts: str = Field(
        "",
        description="Names, comma-separated, that requests may be sent to; unset: any. Where it "
        "asks for no key on loopback, `trellis serve` goes by the names of loopback alone.",
    )
    cors_origins: str = Field(
        "",
        description="Origins, comma-separated, whose pages may ask this service (CORS), such as "
        "`https://app.example`; `*`: any, where keys are asked for; unset: none but its own.",
    )
    rate_limit: str = Field(
        "",
        description="How often a key, or an address where no key is asked for, may ask, such as "
        "`60/minute;1000/day`; empty: as often as it likes. A key may have limits of its own.",
    )
    rate_limit_url: str | None = Field(
        None,
        description="Redis that counts for several services, such as `redis://host:6379`; unset: "
        "each service counts for itself.",
    )
    audit_texts: bool = Field(
        False, description="Whether audit rows hold what was asked, and not its hash alone."
    )
    oidc_issuer: str | None = Field(
        None,
        description="OpenID Connect issuer whose bearer tokens are keys too; their scopes are "
        "those of the claim `scope`, with `graph:NAME` for graphs.",
    )
    oidc_audience: str = Field("", description="Audience that these tokens must have.")
    oidc_keys_url: str | None = Field(
        None, description="Where the issuer's keys are; unset: where its own description says."
    )
    key: SecretStr = Field(
        SecretStr(""), description="Key that commands send to the service that they ask."
    )
    url: str | None = Field(
        None, description="Service that `ask` and `chat` ask; unset: they answer by themselves."
    )
    body_limit: int = Field(
        1_000_000, ge=1, description="Bytes that the body of a request may have."
    )
    question_limit: int = Field(2_000, ge=1, description="Characters that a question may have.")

    @field_validator("graphs_file", "graph_config", mode="before")
    @classmethod
    def _read_empty_as_unset(cls, path: object) -> object:
        """An empty variable, which hides one of the `.env` file, is no file."""
        return path or None

    @field_validator("cors_origins")
    @classmethod
    def _check_origins(cls, given: str) -> str:
        for origin in _split_names(given):
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin!r} is no origin, which is scheme://host or :port behind")
        return given

    @property
    def cors_origin_list(self) -> list[str]:
        """The origins whose pages may ask."""
        return _split_names(self.cors_origins)

    @property
    def model_folders(self) -> tuple[Path, ...]:
        """The folders of models that are set."""
        return split_folders(self.model or "")

    @property
    def is_model_set(self) -> bool:
        """Whether a model of any kind is set; where none is, those that are shipped are used."""
        return bool(self.model or self.decoder_url or self.worker_url)

    @property
    def example_files(self) -> tuple[Path, ...]:
        """The files of questions that prompts may show."""
        return split_folders(self.examples)

    @property
    def worker_groups(self) -> tuple[str, ...]:
        """For each model that workers serve, the comma-separated addresses of its replicas."""
        parts = (self.worker_url or "").split(";")
        return tuple(part.strip() for part in parts if part.strip())


def _split_names(text: str) -> list[str]:
    return [name for part in text.split(",") if (name := part.strip())]


def write_settings_table() -> str:
    """All settings as a Markdown table: what docs/settings.md shows (`make docs` writes it)."""
    rows = ["| variable | default | what |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = field.get_default()
        shown = default.get_secret_value() if isinstance(default, SecretStr) else default
        home = f"{shown}".replace(str(Path.home()), "~")
        text = "" if shown in (None, "") else f"`{home}`"
        rows.append(f"| `TRELLIS_{name.upper()}` | {text} | {field.description} |")
    return "\n".join(rows)
