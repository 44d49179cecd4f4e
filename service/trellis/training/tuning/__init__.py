"""Tuning general models: LoRA, or all weights, on the prompts that they get when they are asked.

    base       what is tuned: its folder, its sizes, and what of it can be asked for
    chats      examples as the chats of answering
    rows       these as tokens, and those that are held out
    memory     what a run will take, and what is free
    plan       how a run goes: decided before it begins, kept in its folder
    network    the model with its adapter, and how it is saved
    fit        the training itself, by the Trainer of transformers
    processes  one process for each GPU
    tune       from lessons to a tuned model

`chats` and `rows` load without torch. Used by `training.language_models` and `training.runner`.
"""
