"""The laboratory's experiments on recorded questions; `bench` measures what is as it is.

    recording  a house whose database and models are asked once, and remembered
    rules      the rules between decoding and the answer, and how each is switched off
    ablation   which answers change without a rule: `python -m lab.ablation`

In no wheel; it may import all of `trellis`, and nothing imports it.
"""
