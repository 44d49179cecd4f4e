package trellis.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;
import trellis.trie.Adjacency;
import trellis.trie.Arguments;
import trellis.trie.Neighbourhood;
import trellis.trie.NeighbourhoodSearch;
import trellis.trie.StoredGraph;
import trellis.trie.TrieConfig;
import trellis.trie.Visibility;

/** One call of a procedure: the neighbourhood that paths are looked for in, and how they are worded. */
record ReachableCall(StoredGraph graph, Neighbourhood found) {
    private static final long VISITS_PER_EDGE = 50;

    static Stream<ReachableRow> rows(
            Transaction transaction, TerminationGuard guard, List<String> anchorIds, Long hops, TrieConfig config) {
        List<String> ids = Arguments.texts("anchorIds", anchorIds);
        int levels = TrieConfig.hops(hops);
        StoredGraph graph = new StoredGraph(transaction, guard, config);
        long[] anchors = graph.find(ids, new ArrayList<>());
        Neighbourhood found = NeighbourhoodSearch.run(graph, anchors, levels, config.edgeBudget());
        int limit = (int) Math.min(Integer.MAX_VALUE, config.limit());
        long visits = VISITS_PER_EDGE * config.edgeBudget();
        ReachableCall call = new ReachableCall(graph, found);
        return ReachableSearch.run(found, levels, limit, visits, entries -> guard.check()).stream().map(call::row);
    }

    private ReachableRow row(RelationPath path) {
        return new ReachableRow(
                Arrays.stream(path.kinds()).mapToObj(this::relation).toList(),
                (long) path.length(),
                labels(path.ends()),
                path.allWalks(),
                (long) path.ends().length,
                path.counted(),
                path.followed());
    }

    private String relation(int kind) {
        int types = found.relationTypes().length;
        String type = found.relationTypes()[kind % types];
        return kind / types == Adjacency.OUT ? type : "^" + type;
    }

    private List<String> labels(int[] ends) {
        TreeSet<String> labels = new TreeSet<>();
        for (int end : ends) {
            try {
                for (Label label : graph.node(found.nodes()[end]).getLabels()) {
                    if (!Visibility.isReserved(label.name())) {
                        labels.add(label.name());
                    }
                }
            } catch (NotFoundException deletedMeanwhile) {
                continue;
            }
        }
        return List.copyOf(labels);
    }
}
