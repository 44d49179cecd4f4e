"""Whether a candidate gives the type of thing that a question asks for.

    reweigh_findings  what findings lose goes to the others, or to nothing being meant
    asked_kind        whether what is found is of the kind that a question asks for
    asked_one         whether one of something that is named is asked for, and several are found
    asked_step        which relations lead to what is asked for, in graphs of triples
    asked_value       the amounts and numbers that are asked for, and which paths reach none
    asked_property    the property that a noun of the question asks for

Used by pipelines, `align.queries` and `conclude`.
"""
