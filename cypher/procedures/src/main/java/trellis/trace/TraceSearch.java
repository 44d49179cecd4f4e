package trellis.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import trellis.gsd.Budget;
import trellis.gsd.DataGraph;
import trellis.trie.Revisit;

/**
 * Traces a schema graph through a graph.
 *
 * <p>A trace maps each node of the schema graph to one node, and each edge to a relationship between the
 * two, whatever its direction: one of its own, unless nodes may be revisited anywhere. A relationship's T-score is the score of its type for the edge,
 * less what a turned one loses, and more where both of its nodes are guided. The edges are traced
 * depth-first; at each, relationships come by their T-score, with that of the anchor that they lead to,
 * then by their other node, then by their own number. So the traces of an anchor have an order: precision
 * takes the first one of the best anchor that has any; breadth takes all, over T-scores from the threshold
 * up, of that anchor and of those that are as good.
 */
final class TraceSearch {
    /** What was found, best first; {@code complete}: whether that is all there is to find. */
    record Found(List<Trace> traces, boolean complete) {}

    private record Option(double value, double score, long neighbour, long relationship, int type, boolean turned)
            implements Comparable<Option> {
        @Override
        public int compareTo(Option other) {
            int byValue = Double.compare(other.value, value);
            int byNode = byValue != 0 ? byValue : Long.compare(neighbour, other.neighbour);
            return byNode != 0 ? byNode : Long.compare(relationship, other.relationship);
        }
    }

    private final DataGraph graph;
    private final TraceQuery query;
    private final TraceRules rules;
    private final TracePlan plan;
    private final Budget budget;
    private final long[] nodes;
    private final boolean[] mapped;
    private final Option[] chosen;
    private final List<Trace> traces = new ArrayList<>();
    private final Set<List<Integer>> shapes = new HashSet<>();
    private boolean isCut;

    private TraceSearch(DataGraph graph, TraceQuery query, Budget budget) {
        this.graph = graph;
        this.query = query;
        this.rules = query.rules();
        this.plan = TracePlan.of(query);
        this.budget = budget;
        this.nodes = new long[query.pattern().nodes()];
        this.mapped = new boolean[nodes.length];
        this.chosen = new Option[query.pattern().edges()];
    }

    static Found run(DataGraph graph, TraceQuery query, Budget budget) {
        TraceSearch search = new TraceSearch(graph, query, budget);
        try {
            search.traceAnchors();
        } catch (Budget.Spent spent) {
            search.isCut = true;
        }
        Collections.sort(search.traces);
        return new Found(search.traces, !search.isCut);
    }

    private void traceAnchors() {
        Anchors anchors = query.anchors()[plan.start()];
        budget.look();
        double least = Double.NEGATIVE_INFINITY;
        for (int place = 0; place < anchors.size() && !isEnough(); place++) {
            long node = anchors.node(place);
            if (anchors.score(node) < least) {
                return;
            }
            if (graph.isVisible(node)) {
                map(plan.start(), node);
                trace(0);
                mapped[plan.start()] = false;
            }
            if (!traces.isEmpty()) {
                least = Math.max(least, anchors.score(node));
            }
        }
    }

    private boolean isEnough() {
        return isCut || !rules.isBreadth() && !traces.isEmpty();
    }

    private void map(int at, long node) {
        nodes[at] = node;
        mapped[at] = true;
    }

    private void trace(int depth) {
        budget.step();
        if (depth == plan.steps().size()) {
            keep();
            return;
        }
        TracePlan.Step step = plan.steps().get(depth);
        for (Option option : options(step)) {
            if (isEnough()) {
                return;
            }
            chosen[step.edge()] = option;
            if (step.closes()) {
                trace(depth + 1);
            } else {
                map(step.to(), option.neighbour);
                trace(depth + 1);
                mapped[step.to()] = false;
            }
            chosen[step.edge()] = null;
        }
    }

    /** The relationships that a step may take, best first. */
    private List<Option> options(TracePlan.Step step) {
        List<Option> options = new ArrayList<>();
        boolean swaps = step.closes() && graph.degree(nodes[step.to()]) < graph.degree(nodes[step.from()]);
        int from = swaps ? step.to() : step.from();
        int to = swaps ? step.from() : step.to();
        boolean leavesFrom = query.pattern().sources()[step.edge()] == from;
        graph.expand(nodes[from], query.types(step.edge()), (leaves, type, neighbour, relationship) -> {
            budget.step();
            boolean fits = step.closes() ? neighbour == nodes[to] : canMap(to, neighbour);
            if (fits && !isUsed(relationship)) {
                boolean turned = neighbour != nodes[from] && leaves != leavesFrom;
                add(step, options, type, neighbour, relationship, turned, nodes[from]);
            }
            return true;
        });
        Collections.sort(options);
        return options;
    }

    private void add(
            TracePlan.Step step,
            List<Option> options,
            int type,
            long neighbour,
            long relationship,
            boolean turned,
            long origin) {
        if (!query.fits(step.edge(), type)) {
            return;
        }
        boolean guided = query.guided().contains(origin) && query.guided().contains(neighbour);
        double score = query.score(step.edge(), type) - (turned ? rules.turned() : 0) + (guided ? rules.bias() : 0);
        if (!rules.isBreadth() || score >= rules.threshold()) {
            boolean anchors = !step.closes() && query.isListed(step.to());
            double value = anchors ? score + query.anchors()[step.to()].score(neighbour) : score;
            options.add(new Option(value, score, neighbour, relationship, type, turned));
        }
    }

    private boolean canMap(int at, long node) {
        if (query.isListed(at) && !query.anchors()[at].has(node)) {
            return false;
        }
        for (int other = 0; other < nodes.length; other++) {
            if (mapped[other] && nodes[other] == node && rules.keepsApart(query.isListed(at), query.isListed(other))) {
                return false;
            }
        }
        return graph.isVisible(node);
    }

    private boolean isUsed(long relationship) {
        if (rules.revisit() == Revisit.ANY) {
            return false;
        }
        for (Option option : chosen) {
            if (option != null && option.relationship == relationship) {
                return true;
            }
        }
        return false;
    }

    private void keep() {
        if (rules.hasShapes() && !shapes.add(shape())) {
            return;
        }
        if (traces.size() == rules.limit()) {
            isCut = true;
            return;
        }
        double total = 0;
        for (int at = 0; at < nodes.length; at++) {
            total += query.isListed(at) ? query.anchors()[at].score(nodes[at]) : 0;
        }
        for (Option option : chosen) {
            total += option.score;
        }
        traces.add(new Trace(
                total,
                nodes.clone(),
                Arrays.stream(chosen).mapToLong(Option::relationship).toArray(),
                Arrays.stream(chosen).mapToInt(Option::type).toArray(),
                Arrays.stream(chosen).mapToDouble(Option::score).toArray()));
    }

    private List<Integer> shape() {
        return Arrays.stream(chosen).map(option -> 2 * option.type + (option.turned ? 1 : 0)).toList();
    }
}
