"""Batches: many questions answered by actors on Ray, into a folder of Parquet files.

    records    the columns of an answer's row
    shards     the Parquet files of a folder
    manifest   what the answers of a folder were asked with
    retries    which errors are asked again
    library    Ray, loaded as we want it
    actor      what one process of the pool does
    pool       the actors, on a Ray node of our own or on a cluster
    run        a run over a folder, from where the last one ended

Used by `trellis batch`. How a row is answered is given to it: it knows no app.
"""
