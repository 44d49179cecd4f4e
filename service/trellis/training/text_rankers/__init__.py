"""Cross-encoders that rank the texts of nodes, taught by questions that describe these.

    lists   what is retrieved for each question, right nodes and wrong ones
    train   teaches a cross-encoder, judges it, and writes its folder

Used by `training.runner`, for task `rank` of questions without queries.
"""
