package trellis.schema;

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
import trellis.trie.TrieConfig;

/** The procedures of the namespace trellis.schema. */
public final class SchemaProc {
    @Context public Transaction transaction;
    @Context public TerminationGuard guard;

    @Procedure(name = "trellis.schema.reachable", mode = Mode.READ)
    @Description("The relation-type paths of 1 to `hops` steps that exist from the anchors, with counts, shortest first.")
    public Stream<ReachableRow> reachable(
            @Name(value = "anchorIds", description = "Element ids of the nodes to start from.") List<String> anchorIds,
            @Name(value = "hops", description = "Longest length of a path: 0 to 8.") Long hops,
            @Name(value = "config", defaultValue = "{}",
                            description = "edgeBudget (200000), limit (10000: most paths), relationTypes (all),"
                                    + " excludeTypes, excludeLabels")
                    Map<String, Object> config) {
        return ReachableCall.rows(transaction, guard, anchorIds, hops, TrieConfig.forReachable(config));
    }
}
