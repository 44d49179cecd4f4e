"""Learning from claims with labels alone: which relations their words speak of.

    count_claim_words   EM over the forms whose verdict agrees with the label
    explain_claims      the forms of labelled claims, and what they teach

Used by training tasks.
"""
