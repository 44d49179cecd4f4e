"""The decoding worker: vLLM serves a model, and decodes inside our languages.

    serving        vLLM's own server with our routes
    routes         `POST /v1/decode` and what is around it
    access         which routes are served, and to whom
    decode_service  takes decodes in: turns, figures, draining
    languages      the languages that askers refer to by hash, and which arguments are admitted
    beams          beam search on an engine
    engine         what beam search asks of an engine
    vllm_engine    vLLM as that engine
    slots          which tokens the requests of a batch may say next: the core
    masking        puts the masks of the slots on a batch's logits
    processor_v1   the core for vLLM's first model runner
    processor_v2   the core for vLLM's second model runner
    orphans        ends vLLM's processes when their parent is killed

It knows the core, model folders, `wire` and `http`, never the graph. What imports vLLM runs in the
worker's own environment (`make worker`). Started by `trellis worker`.
"""
