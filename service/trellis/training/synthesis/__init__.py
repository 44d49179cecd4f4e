"""Questions made from a graph alone: reverse generation from walks that exist.

`walks` samples relation paths, `names` reads relation names, `phrasebook` knows how relations are
spoken of (`lexicon.json`: general English, and a graph's own wording file over it), `asking`
composes questions, `lesson` makes training examples of them. Used by `training.task`.
"""
