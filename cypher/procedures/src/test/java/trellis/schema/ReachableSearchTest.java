package trellis.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import trellis.trie.Neighbourhood;
import trellis.trie.NeighbourhoodSearch;
import trellis.trie.RandomGraph;

/** Relation paths against brute force over walks on random multigraphs, without Neo4j. */
class ReachableSearchTest {
    static LongStream seeds() {
        return LongStream.range(0, 150);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyPathOfTheGraphIsThereOnceWithItsWalksAndEnds(long seed) {
        RandomGraph graph = RandomGraph.of(seed);
        int hops = (int) (seed % 4);
        Map<String, List<Long>> walks = new TreeMap<>();
        for (long anchor : graph.someNodes(seed)) {
            walk(graph, anchor, "", hops, walks);
        }
        Map<String, String> expected = new TreeMap<>();
        walks.forEach((path, ends) -> expected.put(path, ends.size() + " " + new TreeSet<>(ends)));

        Map<String, String> actual = new TreeMap<>();
        Neighbourhood found = NeighbourhoodSearch.run(graph, graph.someNodes(seed), hops, 1_000_000);
        for (RelationPath path : ReachableSearch.run(found, hops, 1_000_000, Long.MAX_VALUE, entries -> {})) {
            assertTrue(path.counted() && path.followed());
            var ends = new TreeSet<>(Arrays.stream(path.ends()).mapToObj(end -> found.nodes()[end]).toList());
            assertEquals(null, actual.put(text(found, path), path.allWalks() + " " + ends));
        }
        assertEquals(expected, actual);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shortPathsComeFirstAndALimitSaysWhatWasNotFollowed(long seed) {
        RandomGraph graph = RandomGraph.of(seed);
        Neighbourhood found = NeighbourhoodSearch.run(graph, graph.someNodes(seed), 3, 1_000_000);
        List<RelationPath> all = ReachableSearch.run(found, 3, 1_000_000, Long.MAX_VALUE, entries -> {});
        assertEquals(
                all.stream().map(RelationPath::length).sorted().toList(), all.stream().map(RelationPath::length).toList());
        int limit = all.size() / 2;
        List<RelationPath> some = ReachableSearch.run(found, 3, limit, Long.MAX_VALUE, entries -> {});
        assertTrue(some.size() <= limit);
        List<String> kept = some.stream().map(path -> text(found, path)).toList();
        for (RelationPath path : all) {
            String text = text(found, path);
            boolean followed = some.stream()
                    .filter(other -> text.startsWith(text(found, other)) && other.length() == path.length() - 1)
                    .allMatch(RelationPath::followed);
            assertTrue(kept.contains(text) || !followed || path.length() == 1
                    || !kept.contains(text.substring(0, text.lastIndexOf('/'))), text);
        }
    }

    @Test
    void numbersOfWalksStopGrowing() {
        List<RandomGraph.Edge> edges = new ArrayList<>();
        IntStream.range(0, 200).forEach(i -> edges.add(new RandomGraph.Edge(0, 0, 0)));
        RandomGraph graph = new RandomGraph(1, new String[] {"to"}, edges);
        Neighbourhood found = NeighbourhoodSearch.run(graph, new long[] {0}, 8, 1_000_000);
        List<RelationPath> paths = ReachableSearch.run(found, 8, 1_000, Long.MAX_VALUE, entries -> {});
        assertEquals(RelationPath.MOST_WALKS, paths.get(paths.size() - 1).allWalks());
    }

    @Test
    void whatTheEdgeBudgetCutIsNotCounted() {
        List<RandomGraph.Edge> edges = new ArrayList<>();
        edges.add(new RandomGraph.Edge(0, 0, 1));
        IntStream.range(0, 50).forEach(i -> edges.add(new RandomGraph.Edge(1, 1, 2 + i)));
        RandomGraph graph = new RandomGraph(52, new String[] {"first", "second"}, edges);
        Neighbourhood found = NeighbourhoodSearch.run(graph, new long[] {0}, 2, 10);
        List<RelationPath> paths = ReachableSearch.run(found, 2, 100, Long.MAX_VALUE, entries -> {});
        assertTrue(paths.get(0).counted());
        assertFalse(paths.get(1).counted());
    }

    @Test
    void visitsAreBoundedAndTheSearchCanBeStopped() {
        List<RandomGraph.Edge> edges = new ArrayList<>();
        IntStream.range(0, 100).forEach(i -> edges.add(new RandomGraph.Edge(0, i % 7, 1 + i)));
        RandomGraph graph =
                new RandomGraph(101, new String[] {"a", "b", "c", "d", "e", "f", "g"}, edges);
        Neighbourhood found = NeighbourhoodSearch.run(graph, new long[] {0}, 3, 1_000_000);
        List<RelationPath> paths = ReachableSearch.run(found, 3, 1_000, 150, entries -> {});
        assertTrue(paths.stream().anyMatch(path -> !path.followed()));
        assertThrows(IllegalStateException.class, () -> ReachableSearch.run(found, 3, 1_000, 150, entries -> {
            throw new IllegalStateException("stop");
        }));
    }

    private static void walk(RandomGraph graph, long node, String text, int left, Map<String, List<Long>> walks) {
        if (left == 0) {
            return;
        }
        graph.expand(node, (direction, type, other) -> {
            String longer = text + "/" + direction + graph.relationTypes()[type];
            walks.computeIfAbsent(longer, path -> new ArrayList<>()).add(other);
            walk(graph, other, longer, left - 1, walks);
            return true;
        });
    }

    private static String text(Neighbourhood found, RelationPath path) {
        StringBuilder text = new StringBuilder();
        int types = found.relationTypes().length;
        for (int kind : path.kinds()) {
            text.append('/').append(kind / types).append(found.relationTypes()[kind % types]);
        }
        return text.toString();
    }
}
