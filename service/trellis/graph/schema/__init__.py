"""The live schema: read in seconds from graphs of any size, kept until the graph changes.

    live         the whole schema, put together
    tokens       which labels and types there are, how many, and their indexes
    properties   properties of labels and types, with the values of those that have few
    pairs        which labels each relationship type joins
    sampling     the nodes and relationships that are looked at

It comes from the count store and from samples of bounded size. Used by `graph` and the benchmarks;
others ask the `Graph` port.
"""
