"""The steps of choosing among methods.

order_methods  which methods are asked, and in what order
fuse_replies   one answer from several, by their calibrated confidence
tell_choice    what decided, in plain English
"""
