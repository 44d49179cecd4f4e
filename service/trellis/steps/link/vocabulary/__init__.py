"""The words of the live schema, and which words of a question are known.

    schema_words     the words in the names of labels, relationship types and properties
    worded_values    values of properties with few, named by their own words
    schema_vocabulary  the words that the live schema brings into what is said of nodes of a label
    property_nouns   what people call properties of nodes, and nothing else
    misspelt_words   words that are one slip from one that was meant, read as it
    unlinked_words   what a question says beside grammar and what was linked
    unknown_words    words that the model never saw, read as the schema's nearest

Imports neither `values` nor `follow_ups`. Used by these, by the other rooms, by pipelines and by
training.
"""
