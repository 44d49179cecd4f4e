package trellis.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;
import trellis.gsd.Budget;
import trellis.gsd.Pattern;
import trellis.gsd.PatternReader;
import trellis.gsd.StoredDataGraph;
import trellis.trie.Arguments;
import trellis.trie.Visibility;

/** One call of the procedure: what was asked, as the search takes it, and how its rows are worded. */
final class TraceCall {
    private final StoredDataGraph graph;
    private final TraceConfig config;

    private TraceCall(Transaction transaction, TraceConfig config) {
        this.config = config;
        this.graph = new StoredDataGraph(
                transaction, new Visibility(transaction, config.excludeTypes(), config.excludeLabels()), List.of());
    }

    static Stream<TraceRow> rows(
            Transaction transaction,
            TerminationGuard guard,
            Map<String, Object> schemaGraph,
            Map<String, Object> candidates,
            List<String> guidance,
            Map<String, Object> settings) {
        TraceConfig config = TraceConfig.read(settings);
        Pattern pattern = PatternReader.read("schemaGraph", schemaGraph);
        TraceCandidates given = TraceCandidates.read(candidates, pattern);
        List<String> guided = guidance == null ? List.of() : Arguments.texts("guidance", guidance);
        TraceCall call = new TraceCall(transaction, config);
        TraceQuery query = call.query(pattern, given, guided);
        Budget budget = new Budget(config.timeout(), Long.MAX_VALUE, guard::check);
        TraceSearch.Found found = TraceSearch.run(call.graph, query, budget);
        if (found.traces().isEmpty() && config.summary()) {
            return Stream.of(TraceRow.nothing(found.complete()));
        }
        return found.traces().stream().map(trace -> call.row(trace, found.complete())).filter(Objects::nonNull);
    }

    private TraceQuery query(Pattern pattern, TraceCandidates given, List<String> guidance) {
        LongHashSet guided = LongHashSet.newSetWith(find("guidance", guidance));
        Anchors[] anchors = new Anchors[pattern.nodes()];
        for (int node = 0; node < anchors.length; node++) {
            TraceCandidates.Listed listed = given.nodes().get(node);
            if (listed != null) {
                long[] found = find("candidates.nodes[%d].ids".formatted(node), listed.names());
                anchors[node] = Anchors.best(found, listed.scores(), guided, config.boost(), config.anchors());
            }
        }
        double[][] scores = new double[pattern.edges()][];
        for (int edge = 0; edge < scores.length; edge++) {
            scores[edge] = typeScores(given.relations().get(edge));
        }
        return new TraceQuery(pattern, anchors, scores, guided, config.rules());
    }

    private double[] typeScores(TraceCandidates.Listed listed) {
        if (listed == null) {
            return null;
        }
        double[] scores = new double[graph.typeCount()];
        Arrays.fill(scores, Double.NaN);
        for (int i = 0; i < listed.scores().length; i++) {
            int type = graph.indexOfType(listed.names().get(i));
            if (type >= 0 && !(scores[type] >= listed.scores()[i])) {
                scores[type] = listed.scores()[i];
            }
        }
        return scores;
    }

    private long[] find(String what, List<String> elementIds) {
        long[] nodes = new long[elementIds.size()];
        for (int i = 0; i < nodes.length; i++) {
            try {
                nodes[i] = graph.find(elementIds.get(i));
            } catch (NotFoundException | IllegalArgumentException absent) {
                throw new IllegalArgumentException("%s[%d] is '%s'; allowed: element ids of nodes that are there"
                        .formatted(what, i, elementIds.get(i)));
            }
        }
        return nodes;
    }

    /** A trace as a row; null where parts of it were deleted meanwhile. */
    private TraceRow row(Trace trace, boolean complete) {
        try {
            List<String> types = new ArrayList<>();
            List<String> relationships = new ArrayList<>();
            for (long number : trace.relationships()) {
                Relationship relationship = graph.relationship(number);
                relationships.add(relationship.getElementId());
                types.add(relationship.getType().name());
            }
            List<String> nodes = Arrays.stream(trace.nodes()).mapToObj(graph::elementIdOfNode).toList();
            List<Double> scores = Arrays.stream(trace.scores()).boxed().toList();
            return new TraceRow(trace.score(), nodes, relationships, types, scores, complete);
        } catch (NotFoundException deletedMeanwhile) {
            return null;
        }
    }
}
