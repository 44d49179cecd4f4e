"""A real small model behind a chat server of a test."""

from __future__ import annotations

from pathlib import Path

from chat_server import Answer, Messages
from trellis.models.base import find_base_folder, load_base


def small_model(cache: Path, tokens: int = 48) -> Answer:
    """SmolLM2-135M-Instruct, writing freely by its chat template."""
    import torch
    from transformers import AutoTokenizer

    model = load_base("smollm2", cache)
    tokenizer = AutoTokenizer.from_pretrained(find_base_folder("smollm2", cache))

    def answer(messages: Messages) -> str:
        text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        prompt = tokenizer(text, return_tensors="pt", add_special_tokens=False)
        with torch.inference_mode():
            torch.set_num_threads(1)  # of this server thread: other work may hold the cores
            said = model.generate(**prompt, max_new_tokens=tokens, do_sample=False)
        return tokenizer.decode(said[0, prompt["input_ids"].shape[1] :], skip_special_tokens=True)

    return answer
