package trellis.trie;

import java.util.List;
import org.neo4j.procedure.Description;

/** One row of {@code trellis.trie.paths}. */
public record PathRow(
        @Description("Element id of the anchor that the path starts at.") String anchor,
        @Description("Element ids along the path, the anchor first.") List<String> nodes,
        @Description("Naming text of each node; an empty list if config.names is false.") List<String> names,
        @Description("Relationship types along the path; ^type where it is walked from end to start.")
                List<String> relations,
        @Description("How many relationships the path walks.") Long length,
        @Description("The path as text, as in: Paris -> capital_of -> France <- borders <- Spain.") String text) {}
