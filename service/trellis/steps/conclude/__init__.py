"""From what ran to a reply: answers, reasons, doubts, wording and confidence.

    queries         from queries that ran to answers, or to why there is none
    rank_answers    a second model judges each answer
    rank_described   a model reads described nodes beside the question
    judge_described  described nodes as ranked answers, and what a text says
    judge_distance   whether a question for distances is one of places, and why none is measured
    judge_said      nodes whose texts say a phrase as answers
    answer_table    the rows of the answers, under names that people understand
    reason_rows     a hosted reasoner words the answers
    reason_described  a hosted reasoner orders and words described nodes
    reason          which of the found nodes answer, and how sure that is
    other_reading   what a nearly as probable reading gives, said apart
    apply_review    follows a reasoner as far as it can do no harm
    check_wording   whether a sentence says nothing but what is known
    namesakes       answers of one name told apart, or the question asked back
    tell_apart      what distinguishes nodes of one name
    confidence      the features by which a reply is trusted

Used by pipelines, `methods`, `app` and training of task `rank`.
"""
