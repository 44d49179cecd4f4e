package trellis.gsd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A random graph and pattern with candidates, few distances so that many matches tie, and all its
 * matches by trying every mapping.
 */
record RandomProblem(MemoryDataGraph graph, Pattern pattern, long[][] nodes, long[][] types, boolean directed, NodeFit[] fits) {
    private static final long UNFIT = -1;

    static RandomProblem of(long seed) {
        Random random = new Random(seed);
        MemoryDataGraph graph = MemoryDataGraph.random(random);
        Pattern pattern = pattern(random);
        long[][] nodes = new long[pattern.nodes()][graph.nodeCount()];
        NodeFit[] fits = new NodeFit[pattern.nodes()];
        for (int i = 0; i < fits.length; i++) {
            fits[i] = switch (random.nextInt(4)) {
                case 0 -> NodeFit.any();
                case 1 -> labelled(graph, nodes[i], random);
                default -> listed(nodes[i], random);
            };
        }
        long[][] types = new long[pattern.edges()][graph.typeCount()];
        for (long[] ofEdge : types) {
            boolean any = random.nextInt(3) == 0;
            Arrays.setAll(ofEdge, type -> any ? 0 : random.nextInt(3) == 0 ? UNFIT : distance(random));
        }
        return new RandomProblem(graph, pattern, nodes, types, random.nextInt(3) == 0, fits);
    }

    private static long distance(Random random) {
        return random.nextInt(4) * (random.nextInt(8) == 0 ? 1_000_003L : 10L);
    }

    private static Pattern pattern(Random random) {
        int nodes = 1 + random.nextInt(4);
        List<int[]> edges = new ArrayList<>();
        for (int node = 1; node < nodes; node++) {
            int other = random.nextInt(node);
            edges.add(random.nextBoolean() ? new int[] {node, other} : new int[] {other, node});
        }
        int more = random.nextInt(4);
        for (int i = 0; i < more; i++) {
            edges.add(new int[] {random.nextInt(nodes), random.nextInt(nodes)});
        }
        int[] sources = edges.stream().mapToInt(edge -> edge[0]).toArray();
        return new Pattern(nodes, sources, edges.stream().mapToInt(edge -> edge[1]).toArray());
    }

    private static NodeFit listed(long[] distances, Random random) {
        Arrays.setAll(distances, node -> random.nextInt(4) == 0 ? UNFIT : distance(random));
        long[] nodes = LongStream.range(0, distances.length).filter(i -> distances[(int) i] != UNFIT).toArray();
        return NodeFit.listed(nodes, Arrays.stream(nodes).map(node -> distances[(int) node]).toArray());
    }

    private static NodeFit labelled(MemoryDataGraph graph, long[] distances, Random random) {
        int[] labels = random.ints(0, 3).limit(1 + random.nextInt(3)).distinct().toArray();
        long[] ofLabels = Arrays.stream(labels).mapToLong(label -> distance(random)).toArray();
        for (int node = 0; node < distances.length; node++) {
            distances[node] = UNFIT;
            for (int i = 0; i < labels.length; i++) {
                if (graph.hasLabel(node, labels[i]) && (distances[node] == UNFIT || ofLabels[i] < distances[node])) {
                    distances[node] = ofLabels[i];
                }
            }
        }
        return NodeFit.labelled(labels, ofLabels);
    }

    PatternQuery query() {
        EdgeFit[] edges = new EdgeFit[pattern.edges()];
        for (int edge = 0; edge < edges.length; edge++) {
            long[] byType = types[edge];
            int[] fitting = IntStream.range(0, byType.length).filter(type -> byType[type] != UNFIT).toArray();
            edges[edge] = EdgeFit.listed(graph.typeCount(), fitting, Arrays.stream(fitting).mapToLong(type -> byType[type]).toArray());
        }
        return new PatternQuery(pattern, fits, edges, directed);
    }

    /** All matches in order, with their whole distances. */
    List<Match> bruteForce() {
        List<Match> matches = new ArrayList<>();
        map(new long[pattern.nodes()], 0, 0, matches);
        return matches.stream().sorted().toList();
    }

    private void map(long[] mapped, int node, long cost, List<Match> matches) {
        if (node == mapped.length) {
            long edges = assign(mapped, 0, new boolean[graph.edges().size()]);
            if (edges != UNFIT) {
                matches.add(new Match(mapped.clone(), cost + edges));
            }
            return;
        }
        for (long candidate = 0; candidate < graph.nodeCount(); candidate++) {
            long same = candidate;
            boolean taken = Arrays.stream(mapped, 0, node).anyMatch(other -> other == same);
            if (!taken && nodes[node][(int) candidate] != UNFIT && graph.isVisible(candidate)) {
                mapped[node] = candidate;
                map(mapped, node + 1, cost + nodes[node][(int) candidate], matches);
            }
        }
    }

    private long assign(long[] mapped, int edge, boolean[] used) {
        if (edge == pattern.edges()) {
            return 0;
        }
        long start = mapped[pattern.sources()[edge]];
        long end = mapped[pattern.targets()[edge]];
        long least = UNFIT;
        for (int i = 0; i < used.length; i++) {
            MemoryDataGraph.Edge one = graph.edges().get(i);
            boolean joins = one.start() == start && one.end() == end || !directed && one.start() == end && one.end() == start;
            if (joins && !used[i] && types[edge][one.type()] != UNFIT) {
                used[i] = true;
                long rest = assign(mapped, edge + 1, used);
                used[i] = false;
                long sum = types[edge][one.type()] + rest;
                least = rest != UNFIT && (least == UNFIT || sum < least) ? sum : least;
            }
        }
        return least;
    }

    Object[] edges() {
        return IntStream.range(0, pattern.edges())
                .mapToObj(edge -> List.of((long) pattern.sources()[edge], (long) pattern.targets()[edge]))
                .toArray();
    }

    /** The candidates as the procedure takes them, distances in hundredths; ids[i]: of the i-th node. */
    Map<String, Object> candidates(List<String> ids) {
        List<Object> ofNodes = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            ofNodes.add(fits[i].isAny() ? null : listed("ids", ids, nodes[i]));
        }
        List<String> names = IntStream.range(0, graph.typeCount()).mapToObj(type -> "T" + type).toList();
        return Map.of("nodes", ofNodes, "relations", Arrays.stream(types).map(byType -> listed("types", names, byType)).toList());
    }

    private static Map<String, Object> listed(String kind, List<String> names, long[] distances) {
        int[] fitting = IntStream.range(0, distances.length).filter(i -> distances[i] != UNFIT).toArray();
        return Map.of(
                kind, Arrays.stream(fitting).mapToObj(names::get).toList(),
                "distances", Arrays.stream(fitting).mapToObj(i -> distances[i] / 100.0).toList());
    }
}
