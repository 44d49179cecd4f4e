package trellis.trace;

import java.util.ArrayList;
import java.util.List;
import trellis.gsd.Pattern;

/** The order in which a schema graph is traced: depth-first from the node with the best anchor. */
record TracePlan(int start, List<Step> steps) {
    /**
     * One edge.
     *
     * @param from the end that is mapped already
     * @param closes whether the other end is mapped, too
     */
    record Step(int edge, int from, int to, boolean closes) {}

    static TracePlan of(TraceQuery query) {
        int start = start(query);
        List<Step> steps = new ArrayList<>();
        boolean[] mapped = new boolean[query.pattern().nodes()];
        walk(query.pattern(), start, mapped, new boolean[query.pattern().edges()], steps);
        return new TracePlan(start, steps);
    }

    /** The listed node with the best anchor; the first of several. */
    private static int start(TraceQuery query) {
        int best = -1;
        double most = Double.NEGATIVE_INFINITY;
        for (int node = 0; node < query.pattern().nodes(); node++) {
            Anchors anchors = query.anchors()[node];
            if (anchors == null) {
                continue;
            }
            double score = anchors.size() == 0 ? -1 : anchors.score(anchors.node(0));
            if (score > most) {
                best = node;
                most = score;
            }
        }
        return best;
    }

    private static void walk(Pattern pattern, int from, boolean[] mapped, boolean[] used, List<Step> steps) {
        mapped[from] = true;
        for (int edge = 0; edge < pattern.edges(); edge++) {
            int source = pattern.sources()[edge];
            int target = pattern.targets()[edge];
            if (used[edge] || source != from && target != from) {
                continue;
            }
            used[edge] = true;
            int to = source == from ? target : source;
            steps.add(new Step(edge, from, to, mapped[to]));
            if (!mapped[to]) {
                walk(pattern, to, mapped, used, steps);
            }
        }
    }
}
