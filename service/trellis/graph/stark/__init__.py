"""STaRK's knowledge bases as graph files: texts and relations, as that benchmark processes them.

Source: "STaRK: Benchmarking LLM Retrieval on Textual and Relational Knowledge Bases" (2024).

    plain_pickles     reads pickles that hold nothing but plain values
    processed_folder  reads a processed folder
    properties        what is known of a node, as properties
    import_files      writes a knowledge base as CSV files for `trellis load`

Used by the command `convert`.
"""
