"""What models say of themselves, what they are asked, and what they give.

    calibration    how probabilities become ones that can be believed
    card           what a model folder says of itself
    decoding       how to search, and the sentences that come of it
    guidance       what a model of task `guidance` is asked
    prompt         what a model is asked
    token_vectors  the vectors of a text's tokens

Imports `domain` alone; every package may import it.
"""
