"""Questions that refer to earlier ones.

    resolve_follow_up   makes a question that refers to earlier ones into a whole question
    referents           what an earlier question leaves to refer to, and which of it is meant

Used by `app`.
"""
