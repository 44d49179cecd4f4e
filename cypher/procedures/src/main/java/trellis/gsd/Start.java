package trellis.gsd;

import java.util.PriorityQueue;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

/**
 * One way to map a pattern, from one root; of a search with several, its first branches wait here.
 *
 * <p>What it has come to says how much its root and the root's own edges cost at least, for any
 * mapping of the root's neighbour.
 */
final class Start {
    private final Plan plan;
    private final Messages messages;
    private final int depth;
    private final PriorityQueue<Branch> queue = new PriorityQueue<>();
    private final LongLongHashMap pairs = new LongLongHashMap();
    private long firstPair = SortedLazily.NO_MORE;

    /** Branches of fewer than {@code depth} mapped nodes wait here. */
    Start(Plan plan, Messages messages, int depth) {
        this.plan = plan;
        this.messages = messages;
        this.depth = depth;
    }

    Plan plan() {
        return plan;
    }

    Messages messages() {
        return messages;
    }

    /** Whether a branch of this start waits here. */
    boolean holds(Branch branch) {
        return branch.depth() < depth;
    }

    PriorityQueue<Branch> queue() {
        return queue;
    }

    /** What its next branch costs; {@link SortedLazily#NO_MORE}: there is none. */
    long next() {
        return queue.isEmpty() ? SortedLazily.NO_MORE : queue.peek().cost();
    }

    /** Takes note of its root and the root's neighbour where a branch maps both. */
    void note(Branch branch) {
        if (branch.depth() == 1 && depth == 2) {
            long neighbour = branch.nodes()[plan.order()[1]];
            firstPair = Math.min(firstPair, branch.cost());
            pairs.put(neighbour, Math.min(branch.cost(), pairs.getIfAbsent(neighbour, branch.cost())));
        }
    }

    /** What the root and its own edges cost at least where these nodes are mapped and the root is not. */
    long bound(long[] nodes) {
        if (depth < 2 || nodes[plan.root()] != Branch.UNMAPPED) {
            return 0;
        }
        long neighbour = nodes[plan.order()[1]];
        return neighbour == Branch.UNMAPPED ? Math.min(firstPair, next()) : pairs.getIfAbsent(neighbour, next());
    }
}
