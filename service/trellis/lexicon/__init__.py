"""How English speaks of relations, kinds and properties, whatever the graph.

    phrasebook         the phrases for relations (`lexicon.json`, and a graph's own wording file)
    schema_phrasebook  the phrasebook of a live schema, built once
    asked_nouns        what a step leads to, and questions for it
    label_kinds        what kind of thing labels say that a node is
    property_phrases   the phrases for properties (`properties.json`)
    flag_phrases       the phrases for properties that are true or false
    validity           the properties between which a relationship holds
    names              reads the names of relations as words
    full_names         which properties hold first names and surnames
    plurals            plurals of nouns
    asking             how questions begin that ask for a kind of thing
    wording_file       reads a graph's own wording file
    plain_questions    one plain question for a step
    fitting            what of the general lexicon fits a schema
    relations          phrases for relations, and the verbs of their names

Used by training, by the engine that reads questions without any training, and by the app.
"""
