"""A running Trellis: its parts, loaded when they are needed, and the questions that they answer.

    once      a heavy part that is loaded when first asked for
    models    the models, by the tasks that they do
    house     all parts, and answering
    listing   the methods as a list to read
    warming   what a first question would pay for, paid before it is asked

Built by `trellis.wiring`; used by the service and the commands.
"""
