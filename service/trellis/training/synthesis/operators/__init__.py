"""Makes questions with operators from a schema: not, or, more than, the most, how many, is it so.

Each kind of question is a function that draws its words and its query together, so that what is
asked and what is answered cannot part. The words come from the frames of `operators.json` around
those of relations, labels and properties; the queries are plain Cypher, in topics `t0`, `t1`, ….

    questions  draws questions of all kinds; the kinds and their weights
    examples   makes examples of task `cypher` of such questions
    parts      what questions of all kinds are drawn from
    kinds      the kinds of questions

Used by `training.tasks`.
"""
