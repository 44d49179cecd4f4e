"""The one place where the parts of a running Trellis are put together.

    assemble        builds an app by its settings
    model_sources   where the models of an app are, and how each is loaded
    general_models  how models that nobody trained are put together
    hosted_chats    chat models behind an OpenAI-compatible API

Used by the service, the commands and the batch's processes.
"""
