"""Questions by OpenAI's clients.

    chat         `GET /v1/models` and `POST /v1/chat/completions`, for OpenAI's clients
    chat_tasks   prompts of chat interfaces, answered without the graph
    chat_errors  errors as OpenAI's clients read them

`api.app` puts them together with the other routes.
"""
