"""The part `scale`: a made graph from its files to an answer, size by size.

    sizes      measures each size
    costs      what each part costs on one graph
    report     what was measured of several sizes, kept as a table
    picture    a picture of it

Used by `trellis bench`.
"""
