"""The steps of a question, in rooms by stage. Each step is one file, and does one thing.

    link       what a question mentions
    retrieve   what is read before a model writes: languages, prompts, settings of tasks
    describe   what a candidate means, in plain English
    align      how well a candidate and the question explain each other
    ground     candidates in the database: what they reach, and the facts that they stand on
    conclude   from what ran to a reply
    claims     verifying claims
    choose     choosing among methods

A room may import those before it in this list, but `choose` and `claims` do not know one another.
Steps know the outside only by `domain.ports`. Every package above may use them: training and hosted
models make prompts as answering does.
"""
