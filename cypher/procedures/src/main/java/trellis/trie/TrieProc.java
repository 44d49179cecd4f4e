package trellis.trie;

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

/** The procedures of the namespace trellis.trie. */
public final class TrieProc {
    private static final String ANCHORS = "Element ids of the nodes to start from.";
    private static final String CONFIG =
            "edgeBudget (200000), names (true), nameProperties (_trellis_name, name, title),"
                    + " relationTypes (all), excludeTypes, excludeLabels";

    @Context public Transaction transaction;
    @Context public TerminationGuard guard;

    @Procedure(name = "trellis.trie.neighbourhood", mode = Mode.READ)
    @Description("All relationships of the nodes nearer than `hops` to the anchors, as packed arrays in one row.")
    public Stream<NeighbourhoodRow> neighbourhood(
            @Name(value = "anchorIds", description = ANCHORS) List<String> anchorIds,
            @Name(value = "hops", description = "How far to go: 0 to 8.") Long hops,
            @Name(value = "config", defaultValue = "{}", description = CONFIG) Map<String, Object> config) {
        return Stream.of(
                TrieCall.of(transaction, guard, anchorIds, hops, TrieConfig.forNeighbourhood(config)).row());
    }

    @Procedure(name = "trellis.trie.paths", mode = Mode.READ)
    @Description("The paths of 1 to `hops` relationships from the anchors, shortest first, one a row.")
    public Stream<PathRow> paths(
            @Name(value = "anchorIds", description = ANCHORS) List<String> anchorIds,
            @Name(value = "hops", description = "Longest length of a path: 0 to 8.") Long hops,
            @Name(value = "config", defaultValue = "{}",
                            description = CONFIG + ", revisit (simple; not_topic, any), limit (10000)")
                    Map<String, Object> config) {
        return TrieCall.of(transaction, guard, anchorIds, hops, TrieConfig.forPaths(config)).paths();
    }
}
