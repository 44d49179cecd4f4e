"""Steps of methods that answer by paths."""
