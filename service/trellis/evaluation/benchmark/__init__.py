"""The benchmarks of `make bench`: our figures beside those of the published reference code.

Reference figures were measured on two cores with the methods' own published code (GCR: enumerates
all paths, tokenises them, builds a trie). Seconds are wall-clock; nothing here is a test.
"""
