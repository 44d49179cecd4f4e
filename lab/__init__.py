"""The laboratory: experiments whose results are kept, and rules switched off on recorded questions;
`bench` measures the parts by themselves.

    plan        experiments as files: suites of questions, and ways to answer them
    experiment  runs one and keeps its results: `make lab EXPERIMENT=…`
    questions   the questions of a suite, each with its kind and chain
    perturbing  the same questions with names in other case, misspelt, shortened or by other names
    ways        opens an app that answers in one way
    unmasked    a trained model that writes without masks
    judging     whether an outcome is right
    intervals   how far a share or a difference may be chance
    results     the files of results
    tables      tables of results
    summary     README's table: a few results side by side
    figures     writes the tables of pages: `make figures`
    compare     what moved beyond noise: `make lab COMPARE=…`
    recording   an app whose database and models are asked once, and remembered
    rules       the rules between decoding and the answer, and how each is switched off
    ablation    which answers change without a rule: `python -m lab.ablation`

`experiments` has the files of experiments, `results` what came of them. In no wheel; it may import
all of `trellis` and `bench`, and nothing imports it.
"""
