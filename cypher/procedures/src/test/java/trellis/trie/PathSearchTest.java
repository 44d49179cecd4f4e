package trellis.trie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Paths against brute force on random multigraphs, without Neo4j. */
class PathSearchTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givesEveryWalkThatMayBeWalkedOnceAndNoOther(long seed) {
        RandomGraph graph = RandomGraph.of(seed);
        long[] anchors = graph.someNodes(seed);
        int hops = (int) (seed % 4);
        Neighbourhood found = NeighbourhoodSearch.run(graph, anchors, hops, 1_000_000);
        for (Revisit revisit : Revisit.values()) {
            List<String> expected = new ArrayList<>();
            for (long anchor : anchors) {
                walk(graph, new ArrayList<>(List.of(anchor)), "", hops, revisit, expected);
            }
            List<String> actual = new ArrayList<>();
            new PathSearch(found, hops, revisit, () -> {}).forEachRemaining(path -> actual.add(shown(found, path)));
            assertEquals(expected.stream().sorted().toList(), actual.stream().sorted().toList());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theShortestComeFirst(long seed) {
        RandomGraph graph = RandomGraph.of(seed);
        Neighbourhood found = NeighbourhoodSearch.run(graph, graph.someNodes(seed), 3, 1_000_000);
        List<Path> paths = new ArrayList<>();
        new PathSearch(found, 3, Revisit.SIMPLE, () -> {}).forEachRemaining(paths::add);
        Comparator<Path> byLengthThenAnchor =
                Comparator.comparingInt(Path::length).thenComparingInt(path -> path.nodes()[0]);
        assertEquals(paths.stream().sorted(byLengthThenAnchor).toList(), paths);
    }

    @Test
    void oneHubOfManyPathsIsWalkedLazilyAndCanBeStopped() {
        List<RandomGraph.Edge> edges = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            edges.add(new RandomGraph.Edge(0, 0, i));
        }
        RandomGraph graph = new RandomGraph(200, new String[] {"to"}, edges);
        Neighbourhood found = NeighbourhoodSearch.run(graph, new long[] {0}, 8, 1_000_000);

        PathSearch lazily = new PathSearch(found, 8, Revisit.ANY, () -> {});
        assertTrue(lazily.hasNext() && lazily.next().length() == 1);

        PathSearch endless = new PathSearch(found, 8, Revisit.ANY, PathSearchTest::stop);
        assertTrue(endless.hasNext());
        assertThrows(IllegalStateException.class, () -> endless.forEachRemaining(path -> {}));
        PathSearch fruitless = new PathSearch(noPathOf(found), 8, Revisit.SIMPLE, PathSearchTest::stop);
        assertThrows(IllegalStateException.class, fruitless::hasNext);
    }

    @Test
    void withoutAnchorsOrHopsThereIsNoPath() {
        RandomGraph graph = RandomGraph.of(3);
        Neighbourhood none = NeighbourhoodSearch.run(graph, new long[] {}, 2, 100);
        assertFalse(new PathSearch(none, 2, Revisit.ANY, () -> {}).hasNext());
        Neighbourhood still = NeighbourhoodSearch.run(graph, graph.someNodes(3), 0, 100);
        assertFalse(new PathSearch(still, 0, Revisit.ANY, () -> {}).hasNext());
    }

    private static void stop() {
        throw new IllegalStateException("stop");
    }

    /** A hub with 10,000 self-loops: work without any simple path. */
    private static Neighbourhood noPathOf(Neighbourhood like) {
        int loops = 10_000;
        return new Neighbourhood(
                new long[] {0}, new int[] {0}, 1, like.relationTypes(), new int[] {0, loops},
                new int[loops], new int[loops], new byte[loops], List.of(), 0);
    }

    private static void walk(
            RandomGraph graph, List<Long> nodes, String text, int left, Revisit revisit, List<String> found) {
        if (left == 0) {
            return;
        }
        long last = nodes.get(nodes.size() - 1);
        graph.expand(last, (direction, type, other) -> {
            boolean allowed = switch (revisit) {
                case ANY -> true;
                case NOT_TOPIC -> other != nodes.get(0);
                case SIMPLE -> !nodes.contains(other);
            };
            if (allowed) {
                List<Long> longer = new ArrayList<>(nodes);
                longer.add(other);
                String longerText = text + " " + last + " " + direction + " " + graph.relationTypes()[type] + " " + other;
                found.add(longerText);
                walk(graph, longer, longerText, left - 1, revisit, found);
            }
            return true;
        });
    }

    private static String shown(Neighbourhood found, Path path) {
        StringBuilder text = new StringBuilder();
        for (int step = 0; step < path.length(); step++) {
            int entry = path.entries()[step];
            text.append(' ').append(found.nodes()[path.nodes()[step]])
                    .append(' ').append(found.directions()[entry])
                    .append(' ').append(found.relationTypes()[found.types()[entry]])
                    .append(' ').append(found.nodes()[path.nodes()[step + 1]]);
        }
        return text.toString();
    }
}
