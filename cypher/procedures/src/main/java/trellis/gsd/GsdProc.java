package trellis.gsd;

import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;

/** The procedures of the namespace trellis.gsd. */
public final class GsdProc {
    private static final String PATTERN =
            "{nodes: n, edges: [[source, target], …]}: one part, indices from 0, at most 16 of each.";
    private static final String CANDIDATES =
            "{nodes: […n], relations: […edges]}: each null (anything, at no distance), or of a node {ids, distances}"
                    + " or {labels, distances}, and of a relation {types, distances}. What is not listed does not fit."
                    + " Ids may be packed as {prefix, numbers, distances}: int64 and float64, little-endian.";
    private static final String CONFIG =
            "directed (false), timeout (20 seconds), memory (128 megabytes), excludeTypes, excludeLabels,"
                    + " summary (false: one row without a match says where none was found whether that is certain)";

    @Context public Transaction transaction;
    @Context public TerminationGuard guard;

    @Procedure(name = "trellis.gsd.search", mode = Mode.READ)
    @Description("The k subgraphs nearest to a pattern by graph semantic distance, exactly, nearest first;"
            + " equal ones in the order of their nodes' element ids.")
    public Stream<GsdRow> search(
            @Name(value = "pattern", description = PATTERN) Map<String, Object> pattern,
            @Name(value = "candidates", description = CANDIDATES) Map<String, Object> candidates,
            @Name(value = "k", description = "How many subgraphs: 1 to 100000.") Long k,
            @Name(value = "config", defaultValue = "{}", description = CONFIG) Map<String, Object> config) {
        return GsdCall.rows(transaction, guard, pattern, candidates, k, config);
    }
}
