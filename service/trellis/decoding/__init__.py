"""Leading a language model through a token automaton: greedy, sampling, and beam searches.

Knows no model: a `Scorer` gives logits for rows of tokens, whoever computes them. No torch.
"""
