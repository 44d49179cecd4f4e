"""Language models that are trained: all tasks of a folder whose answers are sentences.

    lesson     what a language model is taught of one task; loads torch when it is trained
    train      from lessons to a trained mini
    rows       examples as tokens, and the batches drawn of them
    loop       the training loop
    optimizers  what takes its steps: Muon for matrices, AdamW for the rest
    held_out   questions that training is judged by, and when it has learnt enough
    token_tables  tables of token vectors of which only some rows are learned
    mini       the small model from scratch
    pieces     its tokenizer
    words      its word vectors

`lesson` loads without torch. Used by `training.tasks` and by `training.runner`.
"""
