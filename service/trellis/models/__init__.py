"""Model folders: card, seals, vocabulary, base models, adapters merged into them.

Used by whatever runs or trains a model. Torch, transformers and peft are loaded when weights are.
"""
