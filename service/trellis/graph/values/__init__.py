"""The values that questions may speak of: remembered where a property has few, else searched.

`remembering` is what indexing does, `lookup` what questions ask. What is remembered is kept on our
state node; what is searched has a full-text index of a reserved name, and nothing else.
"""
