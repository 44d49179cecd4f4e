"""Numbers, dates and other values, as questions say them.

    clock_times   times of day as English writes them
    dates         days as English writes them
    durations     lengths of time as English writes them
    numbers       numbers that a question says, in digits and in words
    units         units of properties by their names, and behind numbers
    literals      keys that a spoken and a stored literal share
    surroundings  how well a property fits the words around a literal
    value_index   remembered values, found by key or by words

Used by the steps, training and the graph.
"""
