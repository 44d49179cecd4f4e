"""Steps of methods that answer by Cypher queries."""
