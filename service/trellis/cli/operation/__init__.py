"""Commands that serve and operate.

    serve     the HTTP service
    worker    a decoding worker
    keys      the keys of those who may ask
    feedback  people's feedback as questions
    forget    deletes old answers, or what is kept of one caller
    migrate   brings store and graph up to date
    demo      everything at once, on the bundled graph
    children  other commands as processes

Each command is the function of its own name in the file of its own name.
"""
