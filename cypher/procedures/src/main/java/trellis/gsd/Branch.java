package trellis.gsd;

import java.util.Arrays;

/**
 * A partial match, and all that its next node may be mapped to, of which it holds one at a time.
 *
 * <p>Until it is opened it has no children; a complete one never has any. Branches come by their least
 * possible cost, then by their nodes in the pattern's order, unmapped ones first.
 */
final class Branch implements Comparable<Branch> {
    static final long UNMAPPED = -1;

    private final Start start;
    private final long[] nodes;
    private final int depth;
    private final long base;
    private int from = -1;
    private SortedLazily children;
    private int next;
    private long cost;

    /** {@code depth} nodes are mapped, which cost {@code base}. */
    Branch(Start start, long[] nodes, int depth, long base) {
        this.start = start;
        this.nodes = nodes;
        this.depth = depth;
        this.base = base;
        this.cost = base;
    }

    /** The same with what its next node may be mapped to, beside its node {@code from}; -1: the root. */
    Branch opened(int from, long base, SortedLazily children) {
        Branch opened = new Branch(start, nodes, depth, base);
        opened.from = from;
        opened.children = children;
        return opened;
    }

    Start start() {
        return start;
    }

    /** The data nodes, by the pattern's nodes; the child that it holds among them. */
    long[] nodes() {
        return nodes;
    }

    int depth() {
        return depth;
    }

    int from() {
        return from;
    }

    long base() {
        return base;
    }

    boolean isOpen() {
        return children != null;
    }

    boolean isComplete() {
        return depth == nodes.length;
    }

    /** The pattern's node that is mapped next. */
    int node() {
        return start.plan().order()[depth];
    }

    /** What a match costs at least that has the child which it holds. */
    long cost() {
        return cost;
    }

    /** Sets the cost of a branch that waits nowhere. */
    void setCost(long least) {
        cost = least;
    }

    /** What its next child costs beyond the base, or the least that can be; {@link SortedLazily#NO_MORE}: no child is left. */
    long bound() {
        return children.bound(next);
    }

    /** Holds the next child, where it is known. */
    void hold() {
        nodes[node()] = children.isKnown(next) ? children.node(next) : UNMAPPED;
    }

    boolean holdsChild() {
        return nodes[node()] != UNMAPPED;
    }

    /** Reads what may be its next child, unless another branch has read it. */
    void look() {
        if (!children.isKnown(next)) {
            children.readMore();
        }
    }

    /** Goes on to the next child. */
    void advance() {
        next++;
    }

    @Override
    public int compareTo(Branch other) {
        int byCost = Long.compare(cost, other.cost);
        return byCost != 0 ? byCost : Arrays.compare(nodes, other.nodes);
    }
}
