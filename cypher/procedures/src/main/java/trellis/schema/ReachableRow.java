package trellis.schema;

import java.util.List;
import org.neo4j.procedure.Description;

/** One row of {@code trellis.schema.reachable}. */
public record ReachableRow(
        @Description("Relationship types along the path; ^type where it is walked from end to start.")
                List<String> relations,
        @Description("How many relationships the path walks.") Long length,
        @Description("All labels of the nodes at its end, sorted; none that are reserved.") List<String> endLabels,
        @Description("How many walks take it, parallel relationships each; they may come back anywhere.") Long walks,
        @Description("How many distinct nodes are at its end.") Long ends,
        @Description("Whether walks and ends are exact: no relationship was left out for the edge budget.")
                Boolean counted,
        @Description("Whether all longer paths that begin with it were looked for.") Boolean followed) {}
