"""What reasoning by chains of triples reads, before and between triples (method `dog`).

    settings          what a card says of task `chain`
    chain_prompt      how a question is put to a model of task `chain`
    retrieve_chains   the triples of the linked nodes, as a language of chains
    grow_chains       reads what chains lack, in one call for all of them
    trim_hubs         which neighbours of a hub are offered, where there are too many
    search_chains     triple-level beam search

Used by training of task `chain`, and by hosted models.
"""
