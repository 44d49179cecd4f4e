"""The live schema: read in seconds from graphs of any size, kept until the graph changes.

`tokens` says which names there are, `properties` and `pairs` what stands behind them, from the
count store and from samples of bounded size; `live` puts it together.
"""
