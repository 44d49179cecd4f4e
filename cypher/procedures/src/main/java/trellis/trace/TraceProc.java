package trellis.trace;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;

/** The procedures of the namespace trellis.trace. */
public final class TraceProc {
    private static final String SCHEMA_GRAPH =
            "{nodes: n, edges: [[source, target], …]}: one part, indices from 0, at most 16 of each.";
    private static final String CANDIDATES =
            "{nodes: […n], relations: […edges]}: each null (anything, at score 0), or of a node {ids, scores} and of a"
                    + " relation {types, scores}. What is not listed does not fit. At least one node is listed: a trace"
                    + " begins there.";
    private static final String GUIDANCE =
            "Element ids of the nodes of the guidance subgraph: anchors among them count more, and relationships"
                    + " between two of them.";
    private static final String CONFIG =
            "strategy (precision: the first trace of the best anchor; breadth: all of it above the threshold),"
                    + " threshold (0.6), bias (0.5, added to the score of a guided relationship), boost (1.5, times the"
                    + " score of a guided anchor), turned (0, taken off where a relationship leads the other way),"
                    + " anchors (50, of each node), revisit (simple; not_topic, any), shapes (false: one trace of each"
                    + " sequence of types and directions), limit (1000 traces), timeout (20 seconds), excludeTypes,"
                    + " excludeLabels, summary (false: one row without a trace says where none was found whether that"
                    + " is certain)";

    @Context public Transaction transaction;
    @Context public TerminationGuard guard;

    @Procedure(name = "trellis.trace.search", mode = Mode.READ)
    @Description("The traces of a schema graph from the best anchors, depth-first and whatever the direction, by"
            + " T-score; each node of the schema graph is one node in a trace. The best trace comes first.")
    public Stream<TraceRow> search(
            @Name(value = "schemaGraph", description = SCHEMA_GRAPH) Map<String, Object> schemaGraph,
            @Name(value = "candidates", description = CANDIDATES) Map<String, Object> candidates,
            @Name(value = "guidance", defaultValue = "[]", description = GUIDANCE) List<String> guidance,
            @Name(value = "config", defaultValue = "{}", description = CONFIG) Map<String, Object> config) {
        return TraceCall.rows(transaction, guard, schemaGraph, candidates, guidance, config);
    }
}
