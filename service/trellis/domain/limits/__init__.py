"""What a question may cost, and how its work is shared.

    budget     what a question may cost, and how it ends when its time is over
    many_rows  work over many rows, kept from holding the event loop
    sharing    work that several methods of one question share
    spending   what hosted models cost a question, and how much they may

Imports `domain` alone; every package may import it.
"""
