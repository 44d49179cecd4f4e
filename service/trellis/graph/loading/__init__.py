"""Graph files into Neo4j: triples, or a folder of CSV files with Neo4j import headers.

`load_graph` reads everything once to find bad rows, then writes in batches; nothing is written
while a row is bad. Loading the same files again changes nothing, so a load that broke off is
simply run again.

    load         the whole load
    files        lines of files, gzipped or not
    triples      triples as a source
    folder       a folder of CSV files as a source
    headers      the headers of these
    tables       their rows
    rows         what a source gives
    properties   typed values
    copies       nodes that are there without the keys of a load
    batches      which rows are written by which statement
    writing      the statements

Used by the command `load`, and by whatever reads files by lines.
"""

from trellis.graph.loading.load import LoadReport, load_graph

__all__ = ["LoadReport", "load_graph"]
