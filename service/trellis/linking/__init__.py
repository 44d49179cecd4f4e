"""Linking without I/O: how questions are cut into spans, and how spans, names and values compare.

    candidates        nodes that spans may stand for, and which spans win
    clock_times       times of day as English writes them
    closeness         how alike two names are in spelling
    connections       what asks how things are connected, or what they share
    dates             days as English writes them
    demonyms          the countries that adjectives tell of
    distances         what asks how far places are apart, or which are near
    durations         lengths of time as English writes them
    elliptic          questions that leave out what an earlier one said
    literals          keys that a spoken and a stored literal share
    moments           the moment of which a question wants something to be so
    name_like_spans   spans that look like names, though nothing of their name was found
    numbers           numbers that a question says, in digits and in words
    operators         words by which a question asks for more than a walk
    ordinary_words    words that written small are hardly a name
    other_languages   whether a text is in another language than English
    pronouns          pronouns that stand for something said before the question
    question_phrases  what a question asks for, as a noun phrase
    said_words        the words of a question that texts say
    spans             the spans of a question that may be names
    spellings         the spellings of one name that mean the same
    surroundings      how well a property fits the words around a literal
    text_conditions   what a question wants texts to say
    text              how names compare, everywhere the same
    units             units of properties by their names, and behind numbers
    value_index       remembered values, found by key or by words

Used by the graph's searches, the linking steps, training and evaluation. Imports the domain alone.
"""
