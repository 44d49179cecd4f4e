"""Leading a language model through a token automaton: greedily, by sampling, or by beam search.

    scorer       what decoding asks of a model: logits for rows of tokens
    cursor       one sentence that is being written
    hypotheses   the live and the ended sentences of a search
    beam         beam search, plain and diverse
    stochastic   sampling sentences without replacement
    rollout      greedy decoding and sampling, from left to right
    search       searches for several prompts side by side
    move_search  beam search for models that score moves, and know no tokens

Knows no model and no torch. Used by the engines, the worker and the benchmarks.
"""
