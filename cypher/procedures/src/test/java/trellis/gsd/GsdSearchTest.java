package trellis.gsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The search over random multigraphs, against trying every mapping. */
class GsdSearchTest {
    private static final int PROBLEMS = 6_000;

    private static Budget plenty() {
        return new Budget(60, 1L << 30, () -> {});
    }

    private static List<String> shown(List<Match> matches, long least) {
        return matches.stream().map(match -> "%d %s".formatted(match.excess() + least, Arrays.toString(match.nodes()))).toList();
    }

    @Test
    void theFirstMatchesAreExactlyThoseOfBruteForce() {
        int matched = 0;
        int cyclic = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            RandomProblem problem = RandomProblem.of(seed);
            List<Match> all = problem.bruteForce();
            PatternQuery query = problem.query();
            int k = 1 + new Random(seed).nextInt(6);
            DataGraph remembered = new RememberedGraph(problem.graph(), new Random(seed).nextInt(1_500), plenty());
            GsdSearch.Found found = GsdSearch.run(remembered, query, k, plenty());
            List<Match> expected = all.subList(0, Math.min(k, all.size()));
            assertEquals(shown(expected, 0), shown(found.matches(), query.least()), "seed " + seed);
            assertTrue(found.complete());
            matched += expected.isEmpty() ? 0 : 1;
            cyclic += !expected.isEmpty() && query.groups().size() >= query.size() ? 1 : 0;
        }
        assertTrue(matched > PROBLEMS / 4 && cyclic > 200, "few problems have matches: %d, %d".formatted(matched, cyclic));
    }

    private static List<Match> run(MatchSearch search) {
        search.run(Long.MAX_VALUE);
        return search.found();
    }

    @Test
    void everyRootGivesTheSameMatches() {
        for (long seed = 0; seed < 1_500; seed++) {
            RandomProblem problem = RandomProblem.of(seed);
            PatternQuery query = problem.query();
            List<Match> all = problem.bruteForce();
            for (int root = 0; root < query.size(); root++) {
                Plan plan = Plan.rooted(query, root);
                GsdSearch.Found found = GsdSearch.run(problem.graph(), query, plan, 1_000_000, plenty());
                assertEquals(shown(all, 0), shown(found.matches(), query.least()), "seed %d root %d".formatted(seed, root));
            }
        }
    }

    @Test
    void startsFromAllListedNodesFindTheSame() {
        int several = 0;
        for (long seed = 0; seed < 6_000; seed++) {
            RandomProblem problem = RandomProblem.of(seed);
            PatternQuery query = problem.query();
            int[] listed = IntStream.range(0, query.size()).filter(node -> query.node(node).isListed()).toArray();
            if (query.isHopeless() || listed.length == 0) {
                continue;
            }
            List<Match> all = problem.bruteForce();
            int k = 1 + new Random(seed).nextInt(6);
            DataGraph graph = seed % 2 == 0 ? problem.graph() : new RememberedGraph(problem.graph(), 1_000, plenty());
            List<Match> found = run(GsdSearch.searchFrom(listed, graph, query, k, plenty()));
            assertEquals(shown(all.subList(0, Math.min(k, all.size())), 0), shown(found, query.least()), "seed " + seed);
            several += listed.length > 1 && !found.isEmpty() ? 1 : 0;
        }
        assertTrue(several > 300, "few have several starts: " + several);
    }

    @Test
    void noMessageIsMoreThanTheBestCompletionOnCyclesToo() {
        int bounded = 0;
        for (long seed = 0; seed < 3_000; seed++) {
            RandomProblem problem = RandomProblem.of(seed);
            PatternQuery query = problem.query();
            Plan plan = Plan.of(query);
            if (query.isHopeless()) {
                continue;
            }
            Messages messages = Messages.pass(problem.graph(), query, plan, Long.MAX_VALUE, plenty());
            assertFalse(messages.isCut());
            for (Match match : problem.bruteForce()) {
                long excess = match.excess() - query.least();
                long bound = 0;
                for (int child = 0; child < query.size(); child++) {
                    if (plan.parent()[child] == plan.root() && messages.has(child)) {
                        bound += messages.least(child, match.nodes()[plan.root()]);
                        bounded++;
                    }
                }
                assertTrue(bound <= excess, "seed " + seed);
            }
        }
        assertTrue(bounded > 1_000);
    }

    @Test
    void whatASmallBudgetGivesIsFoundAndSaysSo() {
        int partial = 0;
        for (long seed = 0; seed < 2_000; seed++) {
            RandomProblem problem = RandomProblem.of(seed);
            PatternQuery query = problem.query();
            List<Match> all = problem.bruteForce();
            GsdSearch.Found found = GsdSearch.run(problem.graph(), query, 5, new Budget(60, 1_500, () -> {}));
            List<String> some = shown(found.matches(), query.least());
            assertTrue(shown(all, 0).containsAll(some), "seed " + seed);
            if (found.complete()) {
                assertEquals(Math.min(5, all.size()), some.size());
            }
            partial += found.complete() ? 0 : 1;
        }
        assertTrue(partial > 100);
    }
}
