"""Wording files: written from a live schema, for a person to edit.

    skeleton    the phrases that the lexicon, the names of a schema and a former file give
    proposals   the phrases that a hosted model proposes, and what is refused of them
    asking      asks a hosted model for phrases, and reads them back by it

Used by the command `wording`. `synthesis` reads such files.
"""
