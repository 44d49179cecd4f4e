"""The property values that questions may mention. Only `graph` uses it.

`remembering` prepares them at indexing: values of properties with few are stored on our state node,
others get a full-text index of a reserved name. `lookup` finds values for questions, `holders` the
nodes that have them.
"""
