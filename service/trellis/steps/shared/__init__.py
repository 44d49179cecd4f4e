"""Steps that every method may use: linking, prompts, reasoning, verification."""
