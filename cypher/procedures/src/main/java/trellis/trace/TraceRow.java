package trellis.trace;

import java.util.List;
import org.neo4j.procedure.Description;

/** One row of {@code trellis.trace.search}: one trace. */
public record TraceRow(
        @Description("The sum of the scores of its anchors and of its relationships.") Double score,
        @Description("Element ids of the nodes, in the schema graph's order.") List<String> nodes,
        @Description("Element ids of the relationships, in the order of the schema graph's edges.")
                List<String> relationships,
        @Description("Types of the relationships, in the order of the schema graph's edges.") List<String> types,
        @Description("T-scores of the relationships, in the order of the schema graph's edges.") List<Double> scores,
        @Description("Whether these are exactly the traces; false where time ran out or the limit was reached.")
                Boolean complete) {

    /** What is said where nothing was found in time. */
    static TraceRow nothing(boolean complete) {
        return new TraceRow(null, List.of(), List.of(), List.of(), List.of(), complete);
    }
}
