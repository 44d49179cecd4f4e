"""Commands that train and measure.

    train            trains a model
    training_graphs  the graphs that it learns from
    evaluate         asks a whole suite
    batch            answers a file of questions by several processes
    prompt           what a model is sent for a question
    bench            the door to the benchmarks
    suites           asks a suite, and fits confidence to what comes of it

Each command is the function of its own name in the file of its own name.
"""
