"""Leading a language model through a token automaton: cursor, greedy, sampling, beam search.

Knows no model: a `Scorer` gives logits for rows of tokens, whoever computes them. No torch.
"""
