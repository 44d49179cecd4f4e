"""Evaluation: suites of questions, metrics over them, and the report.

    suite               reads questions
    answer_nodes        the nodes that right answers are, where a file gives ids
    run                 asks all of them, and checks the replies against the graph
    metrics             the metrics of one question, and their means
    execution           whether a query returns what the gold query does
    final_return        the order and the limit of a gold query
    gold_rows           whether rows are those of a gold query, each as many times
    coverage            which gold queries the Cypher language can say
    comparison          which questions of a report got worse
    report              the report, and what it says of choosing among methods
    calibration         fits a method's confidence
    calibration_cases   the replies that it is fitted on

Used by `trellis evaluate`, `trellis cypher`, the laboratory and tests; never in answering.
"""
