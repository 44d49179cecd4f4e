package trellis.gsd;

import java.util.Arrays;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/**
 * Nodes with a number each, sorted by number and then by node as far as they are asked for.
 *
 * <p>Adding all costs a heap's making; each one that is asked for costs one step of a heap. More may
 * come from a source, which is read when no other is certain to come next.
 */
final class SortedLazily {
    static final long NO_MORE = Long.MAX_VALUE;

    /** Where more nodes come from, part by part. */
    interface Source {
        /** No node that is still to come has a lower number; {@link #NO_MORE}: there are none. */
        long floor();

        /** Adds the next part. */
        void read(SortedLazily into);
    }

    private static final Source EMPTY = new Source() {
        @Override
        public long floor() {
            return NO_MORE;
        }

        @Override
        public void read(SortedLazily into) {
            throw new IllegalStateException("there is no more to read");
        }
    };

    private final Source source;
    private long[] nodes;
    private long[] costs;
    private int waiting;
    private boolean ordered;
    private final LongArrayList sortedNodes = new LongArrayList();
    private final LongArrayList sortedCosts = new LongArrayList();

    SortedLazily(int capacity) {
        this(capacity, EMPTY);
    }

    SortedLazily(int capacity, Source source) {
        this.nodes = new long[Math.max(capacity, 1)];
        this.costs = new long[nodes.length];
        this.source = source;
    }

    /** Adds a node, which must not come before one that was given out. */
    void add(long node, long cost) {
        if (waiting == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * waiting);
            costs = Arrays.copyOf(costs, 2 * waiting);
        }
        nodes[waiting] = node;
        costs[waiting] = cost;
        waiting++;
        ordered = false;
    }

    /** How many there are, as far as they were read. */
    int size() {
        return waiting + sortedNodes.size();
    }

    /** The number of the i-th one, or the least it can be where it is not known; {@link #NO_MORE}: there is none. */
    long bound(int i) {
        return isKnown(i) ? sortedCosts.get(i) : source.floor();
    }

    /** Whether the i-th one is known, which {@link #node} and {@link #cost} then give. */
    boolean isKnown(int i) {
        if (!ordered) {
            order();
        }
        while (sortedNodes.size() <= i && waiting > 0 && costs[0] < source.floor()) {
            takeLeast();
        }
        return i < sortedNodes.size();
    }

    /** Reads the next part of the source. */
    void readMore() {
        source.read(this);
    }

    /** Whether there is an i-th one, reading as much as that takes. */
    boolean has(int i) {
        while (!isKnown(i)) {
            if (source.floor() == NO_MORE) {
                return false;
            }
            readMore();
        }
        return true;
    }

    long node(int i) {
        return sortedNodes.get(i);
    }

    long cost(int i) {
        return sortedCosts.get(i);
    }

    private void order() {
        for (int at = waiting / 2 - 1; at >= 0; at--) {
            sink(at);
        }
        ordered = true;
    }

    private void takeLeast() {
        sortedNodes.add(nodes[0]);
        sortedCosts.add(costs[0]);
        waiting--;
        nodes[0] = nodes[waiting];
        costs[0] = costs[waiting];
        sink(0);
    }

    private void sink(int from) {
        int at = from;
        long node = nodes[at];
        long cost = costs[at];
        while (2 * at + 1 < waiting) {
            int child = 2 * at + 1;
            if (child + 1 < waiting && isBefore(costs[child + 1], nodes[child + 1], costs[child], nodes[child])) {
                child++;
            }
            if (!isBefore(costs[child], nodes[child], cost, node)) {
                break;
            }
            nodes[at] = nodes[child];
            costs[at] = costs[child];
            at = child;
        }
        nodes[at] = node;
        costs[at] = cost;
    }

    private static boolean isBefore(long cost, long node, long otherCost, long otherNode) {
        return cost < otherCost || cost == otherCost && node < otherNode;
    }
}
