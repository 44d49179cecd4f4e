"""Prompts for general models: instructions, schema, examples and the question, as a chat.

    writer        adds the chat to a prompt, within the tokens that the model can read
    schema_text   the part of the schema that matters for a question, one kind a line
    templates     the texts around them: files, which a graph's configuration may replace

One writer serves masked, local and hosted models. Put together by `trellis.wiring`; it knows the
graph, the embedder and the examples by their ports only.
"""
