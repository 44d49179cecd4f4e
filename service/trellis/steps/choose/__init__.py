"""Choosing among methods.

    order_methods   which methods are asked, and when another one is worth its time
    fuse_replies    one answer from several, by their confidence
    tell_choice     what decided, in plain English

Used by `pipelines.auto`.
"""
