"""Question files: questions and claims, with what is known of them.

    row         the value of a line
    reading     from files to rows
    stark       STaRK's files of questions, and its splits
    writing     files, whole or not at all
    feedback    from people's feedback on answers to rows
    kept_paths  the paths that gave a kept answer
    judged      the rows of judged answers, as people judge them
    examples    from the examples of a graph's configuration to rows

Used by evaluation, training and the commands; `judged` by answering, for prompts.
"""
