"""The decoding worker: vLLM serves a model, and decodes inside our languages.

It knows the core, model folders and what travels over HTTP, never the graph; what of it imports
vLLM runs in the worker's own environment (`make worker`). One core (`slots`), two thin shells for
vLLM's two model runners (`processor_v1`, `processor_v2`); `beams` searches on the engine; `routes`
is what travels; `access` says which routes are served, and to whom; `serving` puts it together.
"""
