"""Names: which spans may be some, and how they compare.

    candidates       nodes that spans may stand for, and which spans win
    closeness        how alike two names are in spelling
    demonyms         the countries that adjectives tell of
    name_like_spans  spans that look like names, though nothing of their name was found
    spans            the spans of a question that may be names
    spellings        the spellings of one name that mean the same
    ordinary_words   words that written small are hardly a name

Used by the steps, training and the graph.
"""
