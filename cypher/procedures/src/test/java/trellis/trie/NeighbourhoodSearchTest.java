package trellis.trie;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The search against brute force on random multigraphs, without Neo4j. */
class NeighbourhoodSearchTest {
    private static final int PLENTY = 1_000_000;

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void findsEveryRelationshipOfEveryExpandedNode(long seed) {
        RandomGraph graph = RandomGraph.of(seed);
        long[] anchors = graph.someNodes(seed);
        int hops = (int) (seed % 5);

        Neighbourhood found = NeighbourhoodSearch.run(graph, anchors, hops, PLENTY);

        Map<Long, Integer> distances = distances(graph, anchors, hops);
        assertEquals(expectedOrder(anchors, distances), nodes(found));
        for (int node = 0; node < found.nodes().length; node++) {
            int distance = distances.get(found.nodes()[node]);
            assertEquals(distance, found.levels()[node]);
            assertEquals(distance < hops ? row(graph, found.nodes()[node]) : List.of(), row(found, node));
        }
        assertEquals(0, found.cutNodes());
        assertEquals(List.of(), found.cuts());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsAreSortedAndTypesNumberedAsNeeded(long seed) {
        RandomGraph graph = RandomGraph.of(seed);
        Neighbourhood found = NeighbourhoodSearch.run(graph, graph.someNodes(seed), 3, PLENTY);

        for (int node = 0; node < found.nodes().length; node++) {
            for (int entry = found.offsets()[node] + 1; entry < found.offsets()[node + 1]; entry++) {
                int before = Arrays.compare(sortKey(found, entry - 1), sortKey(found, entry));
                assertTrue(before <= 0, "entries of a row are sorted by direction, type and target");
            }
        }
        TreeSet<String> occurring = new TreeSet<>();
        Arrays.stream(found.types()).forEach(type -> occurring.add(found.relationTypes()[type]));
        assertEquals(List.copyOf(occurring), List.of(found.relationTypes()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aBudgetIsFilledFairlyAndEveryCutStated(long seed) {
        RandomGraph graph = RandomGraph.of(seed);
        long[] anchors = graph.someNodes(seed);
        Neighbourhood whole = NeighbourhoodSearch.run(graph, anchors, 3, PLENTY);
        int budget = whole.targets().length * (int) (seed % 10) / 10;

        Neighbourhood found = NeighbourhoodSearch.run(graph, anchors, 3, budget);

        assertTrue(found.targets().length <= budget);
        int cutLevel = cutLevel(whole, budget);
        int notWhole = 0;
        int largestCut = 0;
        int largestKept = 0;
        for (int node = 0; node < found.nodes().length; node++) {
            int level = found.levels()[node];
            List<String> expected = level < 3 ? row(graph, found.nodes()[node]) : List.of();
            List<String> kept = row(found, node);
            notWhole += kept.equals(expected) ? 0 : 1;
            if (level < cutLevel) {
                assertEquals(expected, kept);
            } else if (level > cutLevel) {
                assertEquals(List.of(), kept);
            } else {
                for (var group : groups(expected).entrySet()) {
                    List<String> some = groups(kept).getOrDefault(group.getKey(), List.of());
                    assertEquals(group.getValue().subList(0, some.size()), some, "the lowest ids are kept");
                    if (some.size() < group.getValue().size()) {
                        largestCut = Math.max(largestCut, some.size());
                        assertStated(found, node, group.getKey(), some.size(), group.getValue().size());
                    }
                    largestKept = Math.max(largestKept, some.size());
                }
            }
        }
        assertEquals(notWhole, found.cutNodes());
        if (notWhole > 0) {
            assertEquals(budget, found.targets().length, "a budget that cuts is used up");
        }
        assertTrue(largestCut == 0 && found.cuts().isEmpty() || largestKept <= largestCut + 1, "cut groups share evenly");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theOrderInWhichRelationshipsAreStoredChangesNothing(long seed) {
        RandomGraph graph = RandomGraph.of(seed);
        List<RandomGraph.Edge> shuffled = new ArrayList<>(graph.edges());
        Collections.shuffle(shuffled, new java.util.Random(seed));
        RandomGraph same = new RandomGraph(graph.nodeCount(), graph.relationTypes(), shuffled);
        for (int budget : new int[] {PLENTY, 7}) {
            Neighbourhood one = NeighbourhoodSearch.run(graph, graph.someNodes(seed), 3, budget);
            Neighbourhood two = NeighbourhoodSearch.run(same, graph.someNodes(seed), 3, budget);
            assertArrayEquals(one.nodes(), two.nodes());
            assertArrayEquals(one.offsets(), two.offsets());
            assertArrayEquals(one.targets(), two.targets());
            assertArrayEquals(one.types(), two.types());
            assertArrayEquals(one.directions(), two.directions());
            assertEquals(one.cuts(), two.cuts());
        }
    }

    @Test
    void parallelRelationshipsAndBothEndsOfASelfLoopAreEntries() {
        var twice = new RandomGraph.Edge(1, 0, 2);
        var loop = new RandomGraph.Edge(1, 0, 1);
        RandomGraph graph = new RandomGraph(2, new String[] {"knows"}, List.of(twice, twice, loop));

        Neighbourhood found = NeighbourhoodSearch.run(graph, new long[] {1}, 1, PLENTY);

        assertArrayEquals(new int[] {0, 1, 1, 0}, found.targets());
        assertArrayEquals(new byte[] {0, 0, 0, 1}, found.directions());
    }

    @Test
    void aHubIsCutEvenlyAcrossItsTypes() {
        List<RandomGraph.Edge> edges = new ArrayList<>();
        for (int i = 1; i <= 1000; i++) {
            edges.add(new RandomGraph.Edge(i, 0, 0));
        }
        for (int i = 1; i <= 3; i++) {
            edges.add(new RandomGraph.Edge(0, 1, 2000 + i));
        }
        RandomGraph graph = new RandomGraph(1, new String[] {"common", "rare"}, edges);

        Neighbourhood found = NeighbourhoodSearch.run(graph, new long[] {0}, 2, 20);

        assertEquals(new Cut(0, "common", Adjacency.IN, 17, 1000), found.cuts().get(0));
        assertEquals(20, found.targets().length);
        assertEquals(3, Arrays.stream(found.types()).filter(type -> type == 1).count());
        assertEquals(21, found.cutNodes(), "the hub, and the 20 nodes that the budget did not reach");
    }

    @Test
    void anIsolatedAnchorIsNotCutByABudgetOfNothing() {
        RandomGraph graph = new RandomGraph(1, new String[] {}, List.of());
        Neighbourhood found = NeighbourhoodSearch.run(graph, new long[] {5}, 2, 0);
        assertArrayEquals(new int[] {0, 0}, found.offsets());
        assertEquals(0, found.cutNodes());
    }

    private static Map<Long, Integer> distances(RandomGraph graph, long[] anchors, int hops) {
        Map<Long, Integer> distances = new LinkedHashMap<>();
        Arrays.stream(anchors).forEach(anchor -> distances.put(anchor, 0));
        for (int level = 0; level < hops; level++) {
            Map<Long, Integer> before = Map.copyOf(distances);
            for (RandomGraph.Edge edge : graph.edges()) {
                if (before.containsKey(edge.start())) {
                    distances.putIfAbsent(edge.end(), level + 1);
                }
                if (before.containsKey(edge.end())) {
                    distances.putIfAbsent(edge.start(), level + 1);
                }
            }
        }
        return distances;
    }

    private static List<Long> expectedOrder(long[] anchors, Map<Long, Integer> distances) {
        List<Long> order = new ArrayList<>(Arrays.stream(anchors).boxed().toList());
        Map<Integer, TreeSet<Long>> levels = new TreeMap<>();
        distances.forEach((node, level) -> levels.computeIfAbsent(level, key -> new TreeSet<>()).add(node));
        levels.forEach((level, nodes) -> order.addAll(level == 0 ? List.of() : nodes));
        return order;
    }

    private static List<Long> nodes(Neighbourhood found) {
        return Arrays.stream(found.nodes()).boxed().toList();
    }

    /** A node's relationships as "direction type neighbour", by direction, type and neighbour's id. */
    private static List<String> row(RandomGraph graph, long node) {
        List<String> row = new ArrayList<>();
        graph.expand(node, (direction, type, other) -> row.add(shown(direction, graph.relationTypes()[type], other)));
        return row.stream().sorted().toList();
    }

    private static List<String> row(Neighbourhood found, int node) {
        List<String> row = new ArrayList<>();
        for (int entry = found.offsets()[node]; entry < found.offsets()[node + 1]; entry++) {
            String type = found.relationTypes()[found.types()[entry]];
            row.add(shown(found.directions()[entry], type, found.nodes()[found.targets()[entry]]));
        }
        return row.stream().sorted().toList();
    }

    private static String shown(int direction, String type, long other) {
        return "%d %s %019d".formatted(direction, type, other);
    }

    private static Map<String, List<String>> groups(List<String> row) {
        Map<String, List<String>> groups = new TreeMap<>();
        row.forEach(entry -> groups.computeIfAbsent(entry.substring(0, entry.lastIndexOf(' ')), k -> new ArrayList<>()).add(entry));
        return groups;
    }

    private static int[] sortKey(Neighbourhood found, int entry) {
        return new int[] {found.directions()[entry], found.types()[entry], found.targets()[entry]};
    }

    /** The first level whose entries no longer fit. */
    private static int cutLevel(Neighbourhood whole, int budget) {
        for (int level = 0; ; level++) {
            for (int node = 0; node < whole.nodes().length; node++) {
                budget -= whole.levels()[node] == level ? whole.offsets()[node + 1] - whole.offsets()[node] : 0;
            }
            if (budget < 0 || level > 8) {
                return level;
            }
        }
    }

    private static void assertStated(Neighbourhood found, int node, String group, int kept, int total) {
        String[] parts = group.split(" ");
        Cut cut = new Cut(node, parts[1], Integer.parseInt(parts[0]), kept, total);
        assertTrue(found.cuts().contains(cut) || found.cuts().size() == CutList.CAPACITY, () -> cut + " is stated");
    }
}
