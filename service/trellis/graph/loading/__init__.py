"""Graph files into Neo4j: triples, or a folder of CSV files with Neo4j import headers.

`load_graph` reads everything once to find bad rows, then writes in batches; nothing is written
while a row is bad. Loading the same files again changes nothing, so a load that broke off is
simply run again.
"""

from trellis.graph.loading.load import LoadReport, load_graph

__all__ = ["LoadReport", "load_graph"]
