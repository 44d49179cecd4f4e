"""Values, ports and errors that the whole house shares.

Imports nothing of ours; everybody may import it.
"""
