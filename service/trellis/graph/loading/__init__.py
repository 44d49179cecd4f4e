"""Graph files into Neo4j: triples, or a folder of CSV files with Neo4j import headers.

`load_graph` reads everything once to find bad rows, then writes in batches; nothing is written
while a row is bad. Loading the same files again changes nothing, so a load that broke off is
simply run again. `import_graph` makes the same graph as a new database that no server has open.

    load         the whole load
    files        lines of files, gzipped or not
    triples      triples as a source
    folder       a folder of CSV files as a source
    headers      the headers of these
    tables       their rows
    rows         what a source gives
    properties   typed values
    copies       nodes that are there without the keys of a load
    repeats      rows that occur more than once
    batches      which rows are written by which statement
    writing      the statements
    bulk_import  a new database, by Neo4j's own importer
    import_tables  the tables that it reads
    import_values  their values
    import_names  names that are written with the nodes

Used by the command `load`, and by whatever reads files by lines.
"""

from trellis.graph.loading.bulk_import import import_graph
from trellis.graph.loading.load import LoadReport, find_missing_work, load_graph

__all__ = ["LoadReport", "find_missing_work", "import_graph", "load_graph"]
