"""Engines: what runs a model. Local (transformers), OpenAI-compatible, embeddings.

Adapters of `domain.ports`; only `wiring`, `training` and `evaluation` know them.
"""
