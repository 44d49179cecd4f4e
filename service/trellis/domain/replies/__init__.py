"""Questions and claims, and what comes of them.

    choice        what each of several methods came to, and what decided
    claims        claims, how they may be read, and the verdicts on them
    conversation  earlier turns, and what a follow-up question is made into
    events        what a question tells while it is answered
    question      what counts as a question
    reply         findings, judgements and the whole reply
    review        what a reasoner says of the answers that were found

Imports `domain` alone; every package may import it.
"""
