"""The laboratory: experiments on recorded questions; it does not ship.

* `recording` — a house whose database and models are asked once, and remembered;
* `rules` — the rules after decoding, and how each is switched off;
* `ablation` — which answers change without a rule.
"""
