package trellis.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;
import trellis.gsd.MemoryDataGraph;
import trellis.gsd.Pattern;
import trellis.trie.Revisit;

/** A random graph, a random schema graph to trace in it, and all its traces by trying everything. */
record RandomTracing(MemoryDataGraph graph, TraceQuery query) {
    private static final double[] SCORES = {0, 0.25, 0.5, 0.75, 1};

    static RandomTracing of(long seed) {
        Random random = new Random(seed);
        MemoryDataGraph graph = MemoryDataGraph.random(random);
        int nodes = 1 + random.nextInt(4);
        List<int[]> edges = new ArrayList<>();
        for (int node = 1; node < nodes; node++) {
            int other = random.nextInt(node);
            edges.add(random.nextBoolean() ? new int[] {node, other} : new int[] {other, node});
        }
        for (int more = random.nextInt(5 - nodes); more > 0; more--) {
            edges.add(new int[] {random.nextInt(nodes), random.nextInt(nodes)});
        }
        Pattern pattern = new Pattern(
                nodes, edges.stream().mapToInt(edge -> edge[0]).toArray(), edges.stream().mapToInt(edge -> edge[1]).toArray());
        LongHashSet guided = new LongHashSet();
        random.longs(random.nextInt(4), 0, graph.nodeCount()).forEach(guided::add);
        TraceRules rules = new TraceRules(
                random.nextBoolean(), pick(random, 0, 0.5, 0.75, 1), pick(random, 0, 0.5), pick(random, 0, 0.25),
                Revisit.values()[random.nextInt(3)], random.nextInt(3) == 0, 1_000_000);
        Anchors[] anchors = new Anchors[nodes];
        int listed = random.nextInt(nodes);
        for (int node = 0; node < nodes; node++) {
            anchors[node] = node == listed || random.nextInt(3) == 0 ? anchors(graph, random, guided) : null;
        }
        double[][] scores = new double[edges.size()][];
        for (int edge = 0; edge < scores.length; edge++) {
            scores[edge] = random.nextInt(4) == 0 ? null : random.ints(graph.typeCount(), -1, SCORES.length)
                    .mapToDouble(i -> i < 0 ? Double.NaN : SCORES[i]).toArray();
        }
        return new RandomTracing(graph, new TraceQuery(pattern, anchors, scores, guided, rules));
    }

    private static double pick(Random random, double... values) {
        return values[random.nextInt(values.length)];
    }

    private static Anchors anchors(MemoryDataGraph graph, Random random, LongHashSet guided) {
        long[] nodes = random.longs(random.nextInt(2 * graph.nodeCount()), 0, graph.nodeCount()).toArray();
        double[] scores = Arrays.stream(nodes).mapToDouble(node -> SCORES[random.nextInt(SCORES.length)]).toArray();
        return Anchors.best(nodes, scores, guided, pick(random, 1, 1.5), 1 + random.nextInt(4));
    }

    /** A way to place all edges: node by schema node, and relationship by edge. */
    private record Placing(Long[] nodes, int[] relationships) {}

    /** The traces, as the search's definition says, best first. */
    List<Trace> bruteForce() {
        List<Integer> order = new ArrayList<>();
        int start = start();
        walk(start, new boolean[query.pattern().nodes()], order);
        List<Placing> all = new ArrayList<>();
        for (int place = 0; place < query.anchors()[start].size(); place++) {
            Long[] nodes = new Long[query.pattern().nodes()];
            nodes[start] = query.anchors()[start].node(place);
            place(0, new Placing(nodes, new int[query.pattern().edges()]), all);
        }
        all.removeIf(placing -> !isTrace(placing));
        double best = all.stream().mapToDouble(placing -> anchorScore(start, placing)).max().orElse(0);
        all.removeIf(placing -> anchorScore(start, placing) < best);
        all.sort(inOrder(start, order));
        List<Placing> wanted = query.rules().isBreadth() ? all : all.subList(0, Math.min(1, all.size()));
        List<List<Object>> seen = new ArrayList<>();
        List<Trace> traces = new ArrayList<>();
        for (Placing placing : wanted) {
            List<Object> shape = shape(placing);
            if (!query.rules().hasShapes() || !seen.contains(shape)) {
                seen.add(shape);
                traces.add(trace(placing));
            }
        }
        traces.sort(Comparator.naturalOrder());
        return traces;
    }

    private int start() {
        int best = -1;
        for (int node = 0; node < query.anchors().length; node++) {
            if (query.isListed(node) && (best < 0 || top(node) > top(best))) {
                best = node;
            }
        }
        return best;
    }

    private double top(int node) {
        Anchors anchors = query.anchors()[node];
        double most = -1;
        for (int place = 0; place < anchors.size(); place++) {
            most = Math.max(most, anchors.score(anchors.node(place)));
        }
        return most;
    }

    private double anchorScore(int node, Placing placing) {
        return query.isListed(node) ? query.anchors()[node].score(placing.nodes[node]) : 0;
    }

    private void walk(int node, boolean[] seen, List<Integer> order) {
        seen[node] = true;
        for (int edge = 0; edge < query.pattern().edges(); edge++) {
            int[] ends = {query.pattern().sources()[edge], query.pattern().targets()[edge]};
            if (!order.contains(edge) && (ends[0] == node || ends[1] == node)) {
                order.add(edge);
                int other = ends[0] == node ? ends[1] : ends[0];
                if (!seen[other]) {
                    walk(other, seen, order);
                }
            }
        }
    }

    /** Places edges in any order, as long as an end of each is placed before. */
    private void place(int count, Placing placing, List<Placing> all) {
        if (count == query.pattern().edges()) {
            all.add(placing);
            return;
        }
        int edge = 0;
        int placed = count == 0 ? 0 : placing.relationships[0];
        while (placed != 0 || ends(edge, placing)[0] == null && ends(edge, placing)[1] == null) {
            edge++;
            placed = placing.relationships[edge];
        }
        for (int i = 0; i < graph.edges().size(); i++) {
            long begins = graph.edges().get(i).start();
            long stops = graph.edges().get(i).end();
            put(count, placing, edge, i, begins, stops, all);
            if (begins != stops) {
                put(count, placing, edge, i, stops, begins, all);
            }
        }
    }

    private Long[] ends(int edge, Placing placing) {
        return new Long[] {placing.nodes[query.pattern().sources()[edge]], placing.nodes[query.pattern().targets()[edge]]};
    }

    private void put(int count, Placing placing, int edge, int relationship, long source, long target, List<Placing> all) {
        Long[] ends = ends(edge, placing);
        boolean fits = (ends[0] == null || ends[0] == source) && (ends[1] == null || ends[1] == target);
        boolean loops = query.pattern().sources()[edge] != query.pattern().targets()[edge] || source == target;
        if (fits && loops) {
            Placing next = new Placing(placing.nodes.clone(), placing.relationships.clone());
            next.nodes[query.pattern().sources()[edge]] = source;
            next.nodes[query.pattern().targets()[edge]] = target;
            next.relationships[edge] = relationship + 1;
            place(count + 1, next, all);
        }
    }

    private boolean isTrace(Placing placing) {
        for (int edge = 0; edge < query.pattern().edges(); edge++) {
            int type = relationship(edge, placing).type();
            if (!query.fits(edge, type) || query.rules().isBreadth() && score(edge, placing) < query.rules().threshold()) {
                return false;
            }
            for (int other = 0; other < edge; other++) {
                boolean isSame = placing.relationships[edge] == placing.relationships[other];
                if (isSame && query.rules().revisit() != Revisit.ANY) {
                    return false;
                }
            }
        }
        for (int node = 0; node < placing.nodes.length; node++) {
            boolean listed = !query.isListed(node) || query.anchors()[node].has(placing.nodes[node]);
            if (!listed || !graph.isVisible(placing.nodes[node])) {
                return false;
            }
            for (int other = 0; other < node; other++) {
                int topics = (query.isListed(node) ? 1 : 0) + (query.isListed(other) ? 1 : 0);
                boolean apart = query.rules().revisit() == Revisit.SIMPLE || topics == 2
                        || topics == 1 && query.rules().revisit() == Revisit.NOT_TOPIC;
                if (apart && placing.nodes[node].equals(placing.nodes[other])) {
                    return false;
                }
            }
        }
        return true;
    }

    private MemoryDataGraph.Edge relationship(int edge, Placing placing) {
        return graph.edges().get(placing.relationships[edge] - 1);
    }

    private boolean isTurned(int edge, Placing placing) {
        return relationship(edge, placing).start() != placing.nodes[query.pattern().sources()[edge]];
    }

    private double score(int edge, Placing placing) {
        MemoryDataGraph.Edge stands = relationship(edge, placing);
        double score = query.scores()[edge] == null ? 0 : query.scores()[edge][stands.type()];
        score -= isTurned(edge, placing) ? query.rules().turned() : 0;
        boolean guided = query.guided().contains(stands.start()) && query.guided().contains(stands.end());
        return guided ? score + query.rules().bias() : score;
    }

    private List<Object> shape(Placing placing) {
        List<Object> shape = new ArrayList<>();
        for (int edge = 0; edge < query.pattern().edges(); edge++) {
            shape.add(relationship(edge, placing).type() + " " + isTurned(edge, placing));
        }
        return shape;
    }

    /** By the first anchor; then by edges depth-first: T-score with that of the anchor that is new, then node, then relationship. */
    private Comparator<Placing> inOrder(int start, List<Integer> order) {
        Comparator<Placing> compared = Comparator.comparing(placing -> placing.nodes[start]);
        boolean[] seen = new boolean[query.pattern().nodes()];
        seen[start] = true;
        for (int edge : order) {
            int[] ends = {query.pattern().sources()[edge], query.pattern().targets()[edge]};
            int fresh = !seen[ends[0]] ? ends[0] : !seen[ends[1]] ? ends[1] : -1;
            seen[ends[0]] = true;
            seen[ends[1]] = true;
            compared = compared.thenComparing(Comparator.comparingDouble(
                    placing -> -(score(edge, placing) + (fresh < 0 ? 0 : anchorScore(fresh, placing)))));
            if (fresh >= 0) {
                compared = compared.thenComparing(placing -> placing.nodes[fresh]);
            }
            compared = compared.thenComparing(placing -> placing.relationships[edge]);
        }
        return compared;
    }

    private Trace trace(Placing placing) {
        double total = 0;
        for (int node = 0; node < placing.nodes.length; node++) {
            total += anchorScore(node, placing);
        }
        double[] scores = new double[query.pattern().edges()];
        int[] types = new int[scores.length];
        long[] relationships = new long[scores.length];
        for (int edge = 0; edge < scores.length; edge++) {
            scores[edge] = score(edge, placing);
            types[edge] = relationship(edge, placing).type();
            relationships[edge] = placing.relationships[edge] - 1;
            total += scores[edge];
        }
        return new Trace(total, Arrays.stream(placing.nodes).mapToLong(Long::longValue).toArray(), relationships, types, scores);
    }
}
