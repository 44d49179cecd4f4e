package trellis.gsd;

import java.util.List;
import org.neo4j.procedure.Description;

/** One row of {@code trellis.gsd.search}: one mapping of the pattern's nodes. */
public record GsdRow(
        @Description("The graph semantic distance: the sum over the pattern's nodes and edges.") Double distance,
        @Description("Element ids of the nodes, in the pattern's order.") List<String> nodes,
        @Description("Element ids of the relationships, in the order of the pattern's edges.")
                List<String> relationships,
        @Description("Types of the relationships, in the order of the pattern's edges.") List<String> types,
        @Description("Whether these are exactly the nearest; false where time or memory ran out before.")
                Boolean complete) {

    /** What is said where nothing was found in time. */
    static GsdRow nothing(boolean complete) {
        return new GsdRow(null, List.of(), List.of(), List.of(), complete);
    }
}
