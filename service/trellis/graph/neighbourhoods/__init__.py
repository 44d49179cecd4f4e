"""What lies around nodes, read and kept.

    traversal        neighbourhoods by our procedures
    plain_traversal  the same in plain Cypher, for servers without our procedures
    trie_cache       neighbourhoods kept in memory
    trie_files       neighbourhoods built ahead, as files
    building         builds these files
    reaching         runs a path's relations in the database

Used by the rest of `graph`, by wiring and the commands.
"""
