package trellis.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;
import org.junit.jupiter.api.Test;
import trellis.gsd.Budget;
import trellis.gsd.MemoryDataGraph;
import trellis.gsd.Pattern;
import trellis.trie.Revisit;

/** The search over random multigraphs, against trying every mapping. */
class TraceSearchTest {
    private static final int PROBLEMS = 6_000;
    private static final TraceRules BREADTH = new TraceRules(true, 0.5, 0.5, 0, Revisit.SIMPLE, false, 100);

    private static Budget plenty() {
        return new Budget(60, Long.MAX_VALUE, () -> {});
    }

    private static List<String> shown(List<Trace> traces) {
        return traces.stream()
                .map(trace -> "%s %s %s %s %s".formatted(
                        trace.score(), Arrays.toString(trace.nodes()), Arrays.toString(trace.relationships()),
                        Arrays.toString(trace.types()), Arrays.toString(trace.scores())))
                .toList();
    }

    @Test
    void theTracesAreExactlyThoseOfBruteForce() {
        int traced = 0;
        int several = 0;
        int cyclic = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            RandomTracing problem = RandomTracing.of(seed);
            List<Trace> expected = problem.bruteForce();
            TraceSearch.Found found = TraceSearch.run(problem.graph(), problem.query(), plenty());
            assertEquals(shown(expected), shown(found.traces()), "seed " + seed);
            assertTrue(found.complete());
            Pattern pattern = problem.query().pattern();
            traced += expected.isEmpty() ? 0 : 1;
            several += expected.size() > 1 ? 1 : 0;
            cyclic += !expected.isEmpty() && pattern.edges() >= pattern.nodes() ? 1 : 0;
        }
        assertTrue(
                traced > PROBLEMS / 5 && several > 250 && cyclic > 300,
                "few problems have traces: %d, %d, %d".formatted(traced, several, cyclic));
    }

    private static TraceQuery query(Pattern pattern, TraceRules rules, Anchors... anchors) {
        return new TraceQuery(pattern, anchors, new double[pattern.edges()][], new LongHashSet(), rules);
    }

    private static Anchors at(long node) {
        return Anchors.best(new long[] {node}, new double[] {1}, new LongHashSet(), 1, 1);
    }

    @Test
    void aDeadEndIsLeftSoThatAConjunctionJoins() {
        var edges = List.of(
                new MemoryDataGraph.Edge(0, 0, 1), new MemoryDataGraph.Edge(0, 0, 2), new MemoryDataGraph.Edge(3, 0, 2));
        var graph = new MemoryDataGraph(4, 1, edges, List.of(List.of(), List.of(), List.of(), List.of()), List.of());
        Pattern meeting = new Pattern(3, new int[] {0, 2}, new int[] {1, 1});
        var rules = new TraceRules(false, 0, 0, 0, Revisit.SIMPLE, false, 1);
        var found = TraceSearch.run(graph, query(meeting, rules, at(0), null, at(3)), plenty());
        assertEquals(List.of("[0, 2, 3]"), found.traces().stream().map(trace -> Arrays.toString(trace.nodes())).toList());
    }

    private static MemoryDataGraph star(int leaves) {
        List<MemoryDataGraph.Edge> edges = new ArrayList<>();
        List<List<Integer>> labels = new ArrayList<>();
        for (int leaf = 0; leaf <= leaves; leaf++) {
            labels.add(List.of());
            edges.add(new MemoryDataGraph.Edge(0, 0, leaf));
        }
        return new MemoryDataGraph(leaves + 1, 1, edges.subList(1, edges.size()), labels, List.of());
    }

    @Test
    void whatIsCutSaysThatItIsNotComplete() {
        Pattern edge = new Pattern(2, new int[] {0}, new int[] {1});
        var rules = new TraceRules(true, 0, 0, 0, Revisit.SIMPLE, false, 5);
        var cut = TraceSearch.run(star(6), query(edge, rules, at(0), null), plenty());
        assertEquals(5, cut.traces().size());
        assertFalse(cut.complete());
        assertTrue(TraceSearch.run(star(5), query(edge, rules, at(0), null), plenty()).complete());
        var late = TraceSearch.run(star(5), query(edge, rules, at(0), null), new Budget(-1, Long.MAX_VALUE, () -> {}));
        assertFalse(late.complete());
        var whole = TraceSearch.run(star(6), query(edge, BREADTH, at(0), null), plenty());
        assertEquals(List.of(), whole.traces(), "no relationship is above the threshold");
        assertTrue(whole.complete());
    }
}
