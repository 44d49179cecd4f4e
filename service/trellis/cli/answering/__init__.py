"""Commands that ask.

    ask       one question
    verify    one claim
    chat      question after question
    cypher    a query of one's own, or a file of gold queries
    mcp       tools for agents, over stdio
    asking    who answers a command's questions: a service, or this process
    telling   shows answers
    outcomes  exit codes that tell how a question ended
    coverage  which gold queries of a file can be said

Each command is the function of its own name in the file of its own name.
"""
