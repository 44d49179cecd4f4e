"""The laboratory: what measures, and neither serves nor trains. It is not in the wheel.

    command            the command `trellis bench`
    parts              the parts that it measures, each with what it needs to run
    figure             one line of its table
    batch_speed        the speed of `trellis batch`
    loop_probe         what holds the event loop, and for how long
    loop_stalls        that of questions and claims
    step_costs         processor seconds of a question, by step
    described          questions that describe nodes by their texts
    language           what languages, masks and workers cost
    database           what Neo4j and our procedures cost
    load               many clients at once against a service
    scale              what each part costs on graphs of files, size by size
    made               graphs, schemas, sentences and questions to measure on

Figures stand beside those of the published reference code, which were measured on two cores with
the methods' own code (GCR: enumerates all paths, tokenises them, builds a trie). Seconds are
wall-clock; nothing here is a test.

It may import all of `trellis`, which knows nothing of it but the door `trellis.cli.models.bench`.
Tests use what is made.
"""
