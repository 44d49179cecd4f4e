"""Graph files into Neo4j: triples, a folder of CSV files with Neo4j import headers, Cypher scripts
and dumps.

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
    repeats      rows that occur more than once
    writing      batches of rows, and the statements that write them
    script       a Cypher script, statement by statement
    new_database  a new database, by Neo4j's own tools
    dumps        that of a dump
    bulk_import  that of graph files
    import_tables  the tables that it reads
    import_values  their values

Used by the command `load`, and by whatever reads files by lines.
"""

from trellis.graph.loading.bulk_import import import_graph
from trellis.graph.loading.dumps import is_dump, restore_dump
from trellis.graph.loading.load import check_graph_path, find_missing_work, load_graph
from trellis.graph.loading.rows import LoadReport

__all__ = [
    "LoadReport",
    "check_graph_path",
    "find_missing_work",
    "import_graph",
    "is_dump",
    "load_graph",
    "restore_dump",
]
