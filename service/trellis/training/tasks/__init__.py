"""The tasks that are trained: a module each, named in `training.registry`.

path              lessons of relation paths
cypher            lessons of queries, made by cypher_examples
rank              lessons of answers to be judged, made by rank_examples
"""
