"""The methods, each reads top to bottom like its paper. They never import one another."""
