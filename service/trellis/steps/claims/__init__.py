"""The room of steps that verify claims.

    describe_form   says in plain English how a claim was understood
    fact_table      the facts that claims are judged by
    judge_form      the rule: true, false or open
    known_words     the words that a relation's name, and the lexicon, bring into claims
    link_claim      what each name, value and number of a claim means
    list_forms      all ways in which a claim may be read over its mentions
    quantities      numbers, years and dates, and how they compare
    read_claim      all forms of a claim, each judged
    read_facts      reads what forms speak of
    read_operator   not, how many, older than: by a closed list of phrases
    split_claim     statements that share nothing, each a claim
    step_companions  which steps nodes have that have a certain one
    surroundings    which steps lead on from what a claim mentions
    weigh_forms     how probable each form is, by the claim's words

Used by pipelines and training.
"""
