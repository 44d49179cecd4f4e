package trellis.gsd;

import org.eclipse.collections.api.LongIterable;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

/**
 * Which data nodes fit one pattern node, and how far beyond the nearest each is, in ticks.
 *
 * <p>Listed nodes, nodes by label, or any node at no distance.
 */
final class NodeFit {
    static final long UNFIT = -1;
    private static final NodeFit ANY = new NodeFit(null, new int[0], new long[0], 0);

    private final LongLongHashMap excesses; // of listed nodes; null: they are not listed
    private final SortedLazily nearest;
    private final int[] labels;
    private final long[] labelExcesses;
    private final long least;

    private NodeFit(LongLongHashMap excesses, int[] labels, long[] labelExcesses, long least) {
        this.excesses = excesses;
        this.nearest = excesses == null ? null : new SortedLazily(excesses.size());
        this.labels = labels;
        this.labelExcesses = labelExcesses;
        this.least = least;
        if (excesses != null) {
            excesses.forEachKeyValue(nearest::add);
        }
    }

    static NodeFit any() {
        return ANY;
    }

    /** Listed nodes; a node that is listed twice has its least distance. */
    static NodeFit listed(long[] nodes, long[] ticks) {
        long least = least(ticks);
        LongLongHashMap excesses = new LongLongHashMap(nodes.length);
        for (int i = 0; i < nodes.length; i++) {
            long excess = ticks[i] - least;
            excesses.put(nodes[i], Math.min(excess, excesses.getIfAbsent(nodes[i], excess)));
        }
        return new NodeFit(excesses, new int[0], new long[0], least);
    }

    /** Nodes with any of these labels, at the least distance of those they have. */
    static NodeFit labelled(int[] labels, long[] ticks) {
        long least = least(ticks);
        long[] excesses = new long[ticks.length];
        for (int i = 0; i < ticks.length; i++) {
            excesses[i] = ticks[i] - least;
        }
        return new NodeFit(null, labels, excesses, least);
    }

    private static long least(long[] ticks) {
        long least = Long.MAX_VALUE;
        for (long one : ticks) {
            least = Math.min(least, one);
        }
        return ticks.length == 0 ? 0 : least;
    }

    boolean isAny() {
        return this == ANY;
    }

    boolean isListed() {
        return excesses != null;
    }

    boolean isLabelled() {
        return excesses == null && this != ANY;
    }

    boolean isEmpty() {
        return isListed() ? excesses.isEmpty() : isLabelled() && labels.length == 0;
    }

    /** The listed nodes with their excesses, nearest first. */
    SortedLazily nearest() {
        return nearest;
    }

    /** The excesses of the listed nodes, in no order. */
    LongIterable excesses() {
        return excesses.values();
    }

    int[] labels() {
        return labels;
    }

    /** The least distance of any that fits. */
    long least() {
        return least;
    }

    /** How far beyond the nearest a node is; {@link #UNFIT} where it does not fit. */
    long excess(DataGraph graph, long node) {
        if (excesses != null) {
            return excesses.getIfAbsent(node, UNFIT);
        }
        return this == ANY ? 0 : ofLabels(graph, node);
    }

    private long ofLabels(DataGraph graph, long node) {
        long nearest = Long.MAX_VALUE;
        for (int i = 0; i < labels.length; i++) {
            if (labelExcesses[i] < nearest && graph.hasLabel(node, labels[i])) {
                nearest = labelExcesses[i];
            }
        }
        return nearest == Long.MAX_VALUE ? UNFIT : nearest;
    }
}
