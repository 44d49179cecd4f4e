package trellis.gsd;

import java.util.Arrays;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/**
 * Nodes with a number each, sorted by number and then by node as far as they are asked for.
 *
 * <p>Adding all costs a heap's making; each one that is asked for costs one step of a heap.
 */
final class SortedLazily {
    private long[] nodes;
    private long[] costs;
    private int waiting;
    private boolean ordered;
    private final LongArrayList sortedNodes = new LongArrayList();
    private final LongArrayList sortedCosts = new LongArrayList();

    SortedLazily(int capacity) {
        nodes = new long[Math.max(capacity, 1)];
        costs = new long[nodes.length];
    }

    /** Adds a node; all are added before the first is asked for. */
    void add(long node, long cost) {
        if (waiting == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * waiting);
            costs = Arrays.copyOf(costs, 2 * waiting);
        }
        nodes[waiting] = node;
        costs[waiting] = cost;
        waiting++;
    }

    int size() {
        return waiting + sortedNodes.size();
    }

    /** Whether there is an i-th one, which {@link #node} and {@link #cost} then give. */
    boolean has(int i) {
        if (!ordered) {
            order();
        }
        while (sortedNodes.size() <= i && waiting > 0) {
            takeLeast();
        }
        return i < sortedNodes.size();
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
