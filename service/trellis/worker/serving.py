"""vLLM's own server with Trellis's routes added; an OpenAI client uses it like any vLLM server."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import asdict, dataclass

import uvicorn
from vllm.engine.arg_utils import AsyncEngineArgs
from vllm.entrypoints.launchers.api_server.app_state import init_app_state
from vllm.entrypoints.launchers.app import build_app
from vllm.entrypoints.launchers.cli_args import make_arg_parser, validate_parsed_serve_args
from vllm.entrypoints.launchers.launcher import setup_server
from vllm.lora.request import LoRARequest
from vllm.platforms import current_platform
from vllm.usage.usage_lib import UsageContext
from vllm.utils.argparse_utils import FlexibleArgumentParser
from vllm.v1.engine.async_llm import AsyncLLM

from trellis.automata.tokens.vocabulary import TokenizerVocabulary, Vocabulary
from trellis.models.chat_template import ChatTemplate, read_chat_template
from trellis.models.folder import read_vocabulary
from trellis.models.side_by_side import ServedModel
from trellis.wire.decoding import DecoderBody
from trellis.worker.access import AccessControl, check_no_tls, read_keys, restrict_routes
from trellis.worker.decode_service import DecodeService
from trellis.worker.languages import LARGEST, LanguageCache
from trellis.worker.routes import create_routes
from trellis.worker.vllm_engine import VllmEngine

_ENGINE_END = 5.0  # seconds that the engine gets to end
_ENGINE_CHECK = 2.0  # seconds between checks whether the engine is alive


@dataclass(frozen=True, slots=True)
class ServingOptions:
    """What is served, where, and how much of it at once.

    `turns`: the decodes that run at once. `waiting`: those that may wait beside them. `drain`: the
    seconds that decodes get to end after SIGTERM. `vllm_arguments`: vLLM's own arguments.
    """

    model: ServedModel
    host: str = "127.0.0.1"
    port: int = 8100
    turns: int = 64
    waiting: int = 512
    drain: float = 30.0
    vllm_arguments: tuple[str, ...] = ()


async def serve_worker(options: ServingOptions) -> None:
    """Serve until SIGTERM or SIGINT, then drain; prints `ready http://…` when it answers."""
    model = options.model
    vocabulary = read_vocabulary(model.tokenizer, model.card)
    args = _parse_vllm_arguments(options)
    check_no_tls(args.ssl_keyfile, args.ssl_certfile)
    keys = read_keys(args.api_key)
    _, sock = setup_server(args, reuse_port=False)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else small answers wait 40 ms
    try:
        async with _run_engine(args) as llm:
            tasks = await llm.get_supported_tasks()
            app = build_app(args, tasks, llm.model_config)
            await init_app_state(llm, app.state, args, tasks)
            engines = _create_engines(
                llm, vocabulary, app.state.openai_serving_models.lora_requests
            )
            decode_service = DecodeService(
                engines,
                vocabulary,
                LanguageCache(vocabulary),
                turns=options.turns,
                waiting=options.waiting,
                is_broken=lambda: engines[""].is_dead,
            )
            app.include_router(
                create_routes(
                    decode_service,
                    _describe_decoder(model, vocabulary, llm.model_config.max_model_len),
                )
            )
            restrict_routes(app)
            config = uvicorn.Config(
                AccessControl(app, keys, args.root_path or ""),
                log_level="warning",
                timeout_graceful_shutdown=int(options.drain) + 5,
            )
            server = _Server(config, f"ready http://{options.host}:{sock.getsockname()[1]}")
            await _run_server(server, sock, decode_service, options.drain)
            decode_service.close()
    finally:
        sock.close()


def _parse_vllm_arguments(options: ServingOptions) -> Namespace:
    """vLLM's arguments: Trellis's first, so that those of the user override them."""
    served_name = options.model.name or options.model.folder.name
    ours = [
        *("--model", str(options.model.folder), "--served-model-name", served_name),
        *("--tokenizer", str(options.model.tokenizer)),
        *("--host", options.host, "--port", str(options.port)),
        *("--logprobs-mode", "processed_logprobs", "--max-logprobs", "4096"),
        *("--generation-config", "vllm"),
        *("--load-format", "safetensors"),  # by itself it would fall back on pickles
    ]
    if current_platform.is_cpu():
        os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
        ours += ["--dtype", "float32", "--block-size", "32", "--enforce-eager"]
    if options.model.adapters:
        ours += ["--enable-lora", "--max-loras", str(len(options.model.adapters))]
        ours += ["--max-lora-rank", str(_round_up_rank(options.model.rank)), "--lora-modules"]
        ours += [f"{name}={folder}" for name, folder in options.model.adapters.items()]
    parser = make_arg_parser(FlexibleArgumentParser(prog="trellis worker"))
    args: Namespace = parser.parse_args([*ours, *options.vllm_arguments])
    validate_parsed_serve_args(args)
    return args


def _create_engines(
    llm: AsyncLLM, vocabulary: TokenizerVocabulary, adapters: Mapping[str, LoRARequest]
) -> dict[str, VllmEngine]:
    """An engine for each adapter by its name, and under the empty name one without any."""
    without = {"": VllmEngine(llm, vocabulary.ends, vocabulary.size)}
    return without | {
        name: VllmEngine(llm, vocabulary.ends, vocabulary.size, adapter)
        for name, adapter in adapters.items()
    }


def _round_up_rank(rank: int) -> int:
    """The smallest rank setting of vLLM (16, 32, 64, …) that admits adapters of some rank."""
    return max(16, 1 << (rank - 1).bit_length())


@asynccontextmanager
async def _run_engine(args: Namespace) -> AsyncIterator[AsyncLLM]:
    """Run the engine inside the block, with the logits processor that fits its model runner."""
    usage = UsageContext.OPENAI_API_SERVER
    engine_args = AsyncEngineArgs.from_cli_args(args)
    config = engine_args.create_engine_config(usage_context=usage)
    shell = (
        "trellis.worker.processor_v2:MaskProcessorV2"
        if config.use_v2_model_runner
        else "trellis.worker.processor_v1:MaskProcessorV1"
    )
    config.model_config.logits_processors = [*(config.model_config.logits_processors or ()), shell]
    llm = AsyncLLM.from_vllm_config(
        vllm_config=config,
        usage_context=usage,
        enable_log_requests=engine_args.enable_log_requests,
        disable_log_stats=engine_args.disable_log_stats,
    )
    try:
        yield llm
    finally:
        llm.shutdown(timeout=_ENGINE_END)


class _Server(uvicorn.Server):
    """A server that leaves signals to `_run_server`, and prints `ready` when it answers."""

    def __init__(self, config: uvicorn.Config, ready: str) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(self._ready, flush=True)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals, as `_run_server` handles them."""
        yield


async def _run_server(
    server: _Server, sock: socket.socket, decode_service: DecodeService, drain: float
) -> None:
    """Run a server until a signal comes or the engine is lost.

    On a signal, running decodes get `drain` seconds to end first.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    running = loop.create_task(server.serve(sockets=[sock]))
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    watching = loop.create_task(_wait_until_broken(decode_service))
    waiting = loop.create_task(stop.wait())
    await asyncio.wait({running, watching, waiting}, return_when=asyncio.FIRST_COMPLETED)
    if stop.is_set():
        await decode_service.drain(drain)
    server.should_exit = True
    for task in (watching, waiting):
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await running


async def _wait_until_broken(decode_service: DecodeService) -> None:
    """Return when the engine is lost."""
    while not decode_service.is_broken():  # noqa: ASYNC110  vLLM has no event for it
        await asyncio.sleep(_ENGINE_CHECK)


def _describe_decoder(model: ServedModel, vocabulary: Vocabulary, context: int) -> DecoderBody:
    """What a client has to know; `context`: the tokens that the engine reads at most."""
    template = read_chat_template(model.tokenizer) if model.card.is_general else ChatTemplate()
    return DecoderBody(
        card=asdict(model.card),
        adapters=model.by_task,
        vocabulary=vocabulary.fingerprint,
        tokenizer=(model.tokenizer / "tokenizer.json").read_text("utf-8"),
        ends=sorted(vocabulary.ends),
        size=vocabulary.size,
        language_limit=LARGEST,
        chat_template=template.source,
        chat_tokens=dict(template.tokens),
        context=context if model.card.is_general else 0,
    )
