package trellis.gsd;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/** The k matches of a pattern that come first by distance and then by their nodes. */
final class GsdSearch {
    private static final double MUCH = 50_000; // relationships to be read for messages

    private final DataGraph graph;
    private final PatternQuery query;
    private final Plan plan;
    private final int k;
    private final Budget budget;
    private final TreeSet<Match> seen = new TreeSet<>();
    private MatchSearch round;

    private GsdSearch(DataGraph graph, PatternQuery query, Plan plan, int k, Budget budget) {
        this.graph = graph;
        this.query = query;
        this.plan = plan;
        this.k = k;
        this.budget = budget;
    }

    /** What was found; {@code complete}: it is exactly what there is to be found. */
    record Found(List<Match> matches, boolean complete) {}

    static Found run(DataGraph graph, PatternQuery query, int k, Budget budget) {
        return run(graph, query, Plan.of(query), k, budget);
    }

    static Found run(DataGraph graph, PatternQuery query, Plan plan, int k, Budget budget) {
        if (query.isHopeless()) {
            return new Found(List.of(), true);
        }
        GsdSearch search = new GsdSearch(graph, query, plan, k, budget);
        try {
            return new Found(search.search(), true);
        } catch (Budget.Spent spent) {
            return new Found(search.bestSeen(), false);
        }
    }

    private List<Match> search() {
        budget.look();
        int[] listed = IntStream.range(0, query.size()).filter(node -> query.node(node).isListed()).toArray();
        if (listed.length < 2 || plan.work(query) <= MUCH) {
            return widen();
        }
        round = searchFrom(listed, graph, query, k, budget);
        round.run(Long.MAX_VALUE);
        return round.found();
    }

    /** A search from every listed node, where there are too many of each for messages. */
    static MatchSearch searchFrom(int[] listed, DataGraph graph, PatternQuery query, int k, Budget budget) {
        MatchSearch search = new MatchSearch(graph, query, k, budget);
        for (int root : listed) {
            Plan rooted = Plan.rooted(query, root);
            Messages none = Messages.none(graph, query, rooted, budget);
            search.start(rooted, none, rooted.ownDepth(query), query.node(root).nearest());
        }
        return search;
    }

    /** Searches with messages within wider and wider horizons until enough is found or all was in sight. */
    private List<Match> widen() {
        long horizon = Messages.firstHorizon(query, plan);
        while (true) {
            Messages messages = Messages.pass(graph, query, plan, horizon, budget);
            SortedLazily roots = messages.roots();
            round = new MatchSearch(graph, query, k, budget);
            round.start(plan, messages, 0, roots == null ? firstRoots() : roots);
            round.run(messages.isCut() ? horizon : Long.MAX_VALUE);
            if (round.found().size() == k || !messages.isCut()) {
                return round.found();
            }
            seen.addAll(round.seen());
            horizon = messages.nextHorizon();
            budget.release();
        }
    }

    private List<Match> bestSeen() {
        if (round != null) {
            seen.addAll(round.seen());
        }
        return new ArrayList<>(seen).subList(0, Math.min(k, seen.size()));
    }

    /** What the root may be mapped to where no message came to it. */
    private SortedLazily firstRoots() {
        NodeFit fit = query.node(plan.root());
        if (fit.isListed()) {
            return fit.nearest();
        }
        LongHashSet nodes = new LongHashSet();
        if (fit.isLabelled()) {
            for (int label : fit.labels()) {
                graph.forEachNode(label, node -> keep(node, nodes));
            }
        } else {
            int[] types = plan.fewestTypes(query);
            if (types == null) {
                graph.forEachNode(node -> keep(node, nodes));
            } else {
                for (int type : types) {
                    graph.forEachEnd(type, node -> keep(node, nodes));
                }
            }
        }
        SortedLazily roots = new SortedLazily(nodes.size());
        nodes.forEach(node -> roots.add(node, fit.excess(graph, node)));
        return roots;
    }

    private boolean keep(long node, LongHashSet nodes) {
        budget.step();
        if (nodes.add(node)) {
            budget.keep(64);
        }
        return true;
    }
}
