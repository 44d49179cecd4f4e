"""Model folders: what they say of themselves, and their weights.

    folder         files, seals and the card, which is written last
    folder_list    several folders in one setting
    finding        where a model is that is named by a folder, a name or an id
    plain_files    JSON and text files of folders
    general        folders that `trellis train` did not write, and their cards
    chat_template  chats as tokens, by a model's own template
    base           base models that a folder was trained from
    weights        the weights of a folder, or of its base with its adapter
    side_by_side   adapters of one base, served together
    guidance_network  the Triple-GNN, which scores entities
    reader         the small general model that scores moves: features, network, folder
    loading        one model is loaded at a time
    safe_loading   weights are safetensors alone: neither pickles nor a model's own code

Used by whatever runs or trains a model. Torch, transformers and peft are imported only when
weights are loaded.
"""
