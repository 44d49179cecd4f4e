"""Training: from questions or a bare graph to a model folder.

Reads top to bottom: `task` gathers examples (`questions`, `supervision`, `synthesis`), picks a
base (`mini`, `lora` over `smollm2` or another), runs `loop`, and leaves a folder that
`models.folder` reads. Used by the command line and by evaluation's benchmarks; never in answering.
"""
