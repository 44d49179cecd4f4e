"""The features by which a reply is trusted.

    path_confidence      the features of a reply that stands on paths
    pattern_confidence   those of a reply that stands on patterns
    query_confidence     those of a reply that stands on a query's rows
    general_confidence   how sure a query may be by a model that nobody judged

Used by pipelines, and by calibration, which weighs them.
"""
