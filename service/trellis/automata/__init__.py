"""Languages and the token automaton: what a model may say next.

No I/O and no torch: a worker imports this folder alone. A new constraint writes a `Language`;
all else follows from it.
"""
