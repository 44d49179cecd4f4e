"""The bank of a graph's examples, which prompts of general models show.

    bank         finds the examples that are nearest to a question
    own          the user's own: of the configuration, of files, of judged answers
    making       makes examples, of the live schema alone or of given questions
    files        keeps on disk what was made

Used by `general_models`, which puts it behind a port, and by tuning.
"""
