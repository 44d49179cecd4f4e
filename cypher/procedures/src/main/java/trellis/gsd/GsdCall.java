package trellis.gsd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;
import trellis.trie.Visibility;

/** One call of the procedure: what was asked, as the search takes it, and how its rows are worded. */
final class GsdCall {
    private final StoredDataGraph graph;
    private final Pattern pattern;
    private final Candidates candidates;
    private final Ticks ticks;
    private final List<String> labels;
    private final GsdConfig config;
    private final TerminationGuard guard;

    private GsdCall(
            Transaction transaction, TerminationGuard guard, Pattern pattern, Candidates candidates, GsdConfig config) {
        this.pattern = pattern;
        this.candidates = candidates;
        this.ticks = Ticks.forLargest(candidates.largest());
        this.labels = labels(candidates);
        this.config = config;
        this.guard = guard;
        Visibility visibility = new Visibility(transaction, config.excludeTypes(), config.excludeLabels());
        this.graph = new StoredDataGraph(transaction, visibility, labels);
    }

    static Stream<GsdRow> rows(
            Transaction transaction,
            TerminationGuard guard,
            Map<String, Object> given,
            Map<String, Object> candidates,
            Long k,
            Map<String, Object> settings) {
        GsdConfig config = GsdConfig.read(settings);
        int most = GsdConfig.matches(k);
        Pattern pattern = PatternReader.read("pattern", given);
        return new GsdCall(transaction, guard, pattern, Candidates.read(candidates, pattern), config).search(most);
    }

    private Stream<GsdRow> search(int k) {
        Budget budget = new Budget(config.timeout(), config.memoryBytes() / 2, guard::check);
        PatternQuery query = query();
        DataGraph remembered = new RememberedGraph(graph, config.memoryBytes() / 2, budget);
        GsdSearch.Found found = GsdSearch.run(remembered, query, k, budget);
        if (found.matches().isEmpty() && config.summary()) {
            return Stream.of(GsdRow.nothing(found.complete()));
        }
        budget.lift();
        Scan scan = new Scan(remembered, budget);
        return found.matches().stream().map(match -> row(match, query, scan, found.complete())).filter(Objects::nonNull);
    }

    private static List<String> labels(Candidates candidates) {
        return candidates.nodes().stream()
                .filter(listed -> listed != null && listed.kind().equals("labels"))
                .flatMap(listed -> listed.names().stream())
                .distinct()
                .toList();
    }

    private PatternQuery query() {
        NodeFit[] nodes = new NodeFit[pattern.nodes()];
        for (int node = 0; node < nodes.length; node++) {
            Candidates.Listed listed = candidates.nodes().get(node);
            nodes[node] = listed == null ? NodeFit.any() : nodeFit("candidates.nodes[%d]".formatted(node), listed);
        }
        EdgeFit[] edges = new EdgeFit[pattern.edges()];
        for (int edge = 0; edge < edges.length; edge++) {
            edges[edge] = edgeFit(candidates.relations().get(edge));
        }
        return new PatternQuery(pattern, nodes, edges, config.directed());
    }

    private NodeFit nodeFit(String what, Candidates.Listed listed) {
        long[] distances = Arrays.stream(listed.distances()).mapToLong(ticks::of).toArray();
        if (listed.kind().equals("labels")) {
            return labelFit(listed, distances);
        }
        return NodeFit.listed(listed.numbers() == null ? find(what, listed.names()) : findPacked(what, listed), distances);
    }

    private NodeFit labelFit(Candidates.Listed listed, long[] distances) {
        IntArrayList shown = new IntArrayList();
        LongArrayList shownDistances = new LongArrayList();
        for (int i = 0; i < distances.length; i++) {
            if (!Visibility.isReserved(listed.names().get(i))) {
                shown.add(labels.indexOf(listed.names().get(i)));
                shownDistances.add(distances[i]);
            }
        }
        return NodeFit.labelled(shown.toArray(), shownDistances.toArray());
    }

    private long[] find(String what, List<String> elementIds) {
        long[] nodes = new long[elementIds.size()];
        for (int i = 0; i < nodes.length; i++) {
            try {
                nodes[i] = graph.find(elementIds.get(i));
            } catch (NotFoundException | IllegalArgumentException absent) {
                throw notThere(what, i, elementIds.get(i));
            }
        }
        return nodes;
    }

    /** Where the first element id is this database's, the others differ in their numbers alone. */
    private long[] findPacked(String what, Candidates.Listed listed) {
        String prefix = listed.names().get(0);
        long[] numbers = listed.numbers();
        long[] nodes = new long[numbers.length];
        for (int i = 0; i < nodes.length; i++) {
            try {
                nodes[i] = i == 0 ? graph.find(prefix + numbers[i]) : graph.find(numbers[i]);
            } catch (NotFoundException | IllegalArgumentException absent) {
                throw notThere(what, i, prefix + numbers[i]);
            }
        }
        return nodes;
    }

    private static IllegalArgumentException notThere(String what, int i, String elementId) {
        return new IllegalArgumentException(
                "%s.ids[%d] is '%s'; allowed: element ids of nodes that are there".formatted(what, i, elementId));
    }

    private EdgeFit edgeFit(Candidates.Listed listed) {
        if (listed == null) {
            return EdgeFit.any(graph.typeCount());
        }
        IntArrayList types = new IntArrayList();
        LongArrayList distances = new LongArrayList();
        for (int i = 0; i < listed.names().size(); i++) {
            int type = graph.indexOfType(listed.names().get(i));
            if (type >= 0) {
                types.add(type);
                distances.add(ticks.of(listed.distances()[i]));
            }
        }
        return EdgeFit.listed(graph.typeCount(), types.toArray(), distances.toArray());
    }

    /** A match with its relationships; null where some were deleted meanwhile. */
    private GsdRow row(Match match, PatternQuery query, Scan scan, boolean complete) {
        Relationship[] relationships = new Relationship[query.edges()];
        try {
            for (EdgeGroup group : query.groups()) {
                if (!choose(group, match, scan, relationships)) {
                    return null;
                }
            }
            return new GsdRow(
                    ticks.distance(query.least() + match.excess()),
                    Arrays.stream(match.nodes()).mapToObj(graph::elementIdOfNode).toList(),
                    Arrays.stream(relationships).map(Relationship::getElementId).toList(),
                    Arrays.stream(relationships).map(relationship -> relationship.getType().name()).toList(),
                    complete);
        } catch (NotFoundException deletedMeanwhile) {
            return null;
        }
    }

    private boolean choose(EdgeGroup group, Match match, Scan scan, Relationship[] relationships) {
        IntArrayList kinds = new IntArrayList();
        LongArrayList numbers = new LongArrayList();
        scan.collect(group, match.nodes()[group.first()], match.nodes()[group.second()], kinds, numbers);
        SortedLazily order = new SortedLazily(kinds.size());
        for (int i = 0; i < kinds.size(); i++) {
            order.add(i, numbers.get(i));
        }
        IntArrayList sortedKinds = new IntArrayList();
        List<Long> sorted = new ArrayList<>();
        for (int i = 0; order.has(i); i++) {
            sortedKinds.add(kinds.get((int) order.node(i)));
            sorted.add(order.cost(i));
        }
        int[] chosen = group.choose(sortedKinds);
        for (int i = 0; chosen != null && i < chosen.length; i++) {
            relationships[group.edges()[i]] = graph.relationship(sorted.get(chosen[i]));
        }
        return chosen != null;
    }
}
