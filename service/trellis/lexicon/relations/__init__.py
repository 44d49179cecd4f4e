"""The phrases for relations, and the verbs of their names.

    derived_phrases      the phrases that a relation's name alone gives
    preposition_phrases  those of names that end in a preposition
    own_words            what says one relation, and none of the others between the same labels
    verbs                forms of verbs in names
    verb_groups          verbs that say the same
    one_way_relations    relations whose direction questions tell
    event_verbs          verbs for what nodes are events of
    relation_words       the words that relations bring into what people say
    concepts             what relations mean, as far as the general lexicon knows their names
    phrases              what questions say for one step

Used by `lexicon.phrasebook`, the steps and training.
"""
