"""The values that questions may speak of: remembered where a property has few, else searched.

    remembering   what indexing does: remembers values, and makes full-text indexes
    lookup        what questions ask: remembered values, a search for the others, their holders

What is remembered is kept on our state node; what is searched has a full-text index of a reserved
name, and nothing else. Used by `graph` alone; others ask the `Graph` port.
"""
