"""Steps of methods that answer by Cypher queries.

    settings           what a model card says of tasks `cypher` and `rank`
    link_values        finds the stored values that the question may mean
    value_mentions     turns these into mentions, each under a name such as `v0`
    query_prompt       the prompts of tasks `cypher` and `rank`
    retrieve_queries   builds the Cypher language over the live schema and the values
    run_queries        runs candidate queries behind the gate
    rank_queries       chooses the best of the queries that ran
    describe_answers   writes each answer's surroundings as a text
    rank_answers       has a second model judge these texts
    query_evidence     reads the relationships that a query's rows are based on
    query_confidence   features from which the confidence in a query is estimated
    judge_query        turns the rows of a query into answers
    reason_rows        has a hosted reasoner pick and word the answers

Used by every layer above the steps.
"""
