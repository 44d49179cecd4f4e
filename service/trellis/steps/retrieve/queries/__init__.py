"""What answering by Cypher queries reads first (method `graphraft`).

    settings           what a card says of tasks `cypher` and `rank`
    query_prompt       how a question is put to a model of tasks `cypher` and `rank`
    retrieve_queries   the language that the live schema and the values define
    prepare_schema     what questions read of a schema, built before they get it
    warm_queries       what a first question reads, read before it is asked

Used by training of tasks `cypher` and `rank`, and by whatever shows or is told queries.
"""
