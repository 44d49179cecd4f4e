"""From queries that ran to answers, or to why there is none.

    rank_queries    chooses among the queries that ran
    check_query     why the query that is believed does not answer the question
    check_values    values that a query depends on and that are unknown or tied
    find_verdict    yes or no, where a query asks whether something is so
    judge_query     rows as answers with evidence, or none

Used by pipelines, `conclude` and training of task `rank`.
"""
