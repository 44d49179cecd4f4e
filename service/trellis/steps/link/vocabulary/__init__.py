"""The words of the live schema, and which words of a question are known.

    schema_words         the words in the names of labels, relationship types and properties
    worded_values        values of properties with few, named by their own words
    schema_vocabulary    what people call labels, properties and relationships of the live schema
    relation_vocabulary  by which words people speak of its relationships
    label_words          what questions say of nodes of some labels, and of their properties
    property_nouns       what people call properties of nodes, and nothing else
    misspelt_words       words that are one slip from one that was meant, read as it
    unlinked_words       what a question says beside grammar and what was linked
    near_words           how near words come to those that somebody said
    unknown_words        words that the model never saw, read as the schema's nearest

Imports neither `values` nor `follow_ups`. Used by these, by the other rooms, by pipelines and by
training.
"""
