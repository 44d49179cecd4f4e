"""Explaining by queries: for questions with answers alone, the queries that give these best.

    explain_queries     the way in: each question with its likeliest query, run through the gate
    weak_examples       a question with answers: what its values, paths and answers may mean
    holders             which nodes hold which values
    pattern_trees       patterns as trees, the queries that they are, and their parts
    growing             grows trees around the values of a question
    relations           the steps of sets of nodes through a neighbourhood
    returns             what is returned of a tree's root, and how well that gives the answers
    candidates          the trees that may explain a batch of questions
    mixture             which candidate is meant: learnt from the wording of all questions (EM)
    run_candidates      runs candidates through the gate
    coverage            counts what was explained
    claimed_words       which words given questions use of one relationship type alone
    resuming            keeps what was found out, so that a run that breaks off goes on

Used by the tasks that learn from queries. Source: GraphRAFT, synthesis of ground-truth Cypher
(section 4.1): templates around the linked values, ranked by hits, precision and brevity.
"""
