"""Evaluation: suites of questions, metrics over them, and the report.

For `wiring`'s users: a suite is asked through any method, given as a function.
"""
