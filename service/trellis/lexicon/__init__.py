"""How English speaks of relations, kinds and properties, whatever the graph.

    phrasebook           the phrases for relations (`lexicon.json`, and a graph's own wording file)
    schema_phrasebook    the phrasebook of a live schema, built once
    phrases              what questions say for one step
    own_words            what says one relation, and none of the others between the same labels
    derived_phrases      the phrases that a relation's name alone gives
    preposition_phrases  those of names that end in a preposition
    asked_nouns          what a step leads to, and questions for it
    verbs                forms of verbs in names
    verb_groups          verbs that say the same
    one_way_relations    relations whose direction questions tell
    label_kinds          what kind of thing labels say that a node is
    event_verbs          verbs for what nodes are events of
    property_phrases     the phrases for properties (`properties.json`)
    flag_phrases         the phrases for properties that are true or false
    validity             the properties between which a relationship holds
    names                reads the names of relations as words
    full_names           which properties hold first names and surnames
    plurals              plurals of nouns
    asking               how questions begin that ask for a kind of thing
    wording_file         reads a graph's own wording file
    plain_questions      one plain question for a step
    relation_words       the words that relations bring into what people say

Used by training, by the engine that reads questions without any training, and by the app.
"""
