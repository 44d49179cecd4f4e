package trellis.trie;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * All paths of 1 to {@code hops} relationships from the anchors, one at a time: shortest first, then
 * by anchor, then in row order. It holds one path, however many there are.
 */
public final class PathSearch implements Iterator<Path> {
    private static final int STEPS_PER_CHECKPOINT = 4096;

    private final Neighbourhood graph;
    private final int hops;
    private final Revisit revisit;
    private final Runnable checkpoint;
    private final int[] nodes; // the walk so far
    private final int[] walked; // its entries
    private final int[] cursors; // the entry to try next at each depth
    private long steps;
    private int length = 1;
    private int anchor = -1;
    private int depth = -1;
    private Path next;

    /** {@code checkpoint} is called regularly, and may throw to stop the search. */
    public PathSearch(Neighbourhood graph, int hops, Revisit revisit, Runnable checkpoint) {
        this.graph = graph;
        this.hops = hops;
        this.revisit = revisit;
        this.checkpoint = checkpoint;
        this.nodes = new int[hops + 1];
        this.walked = new int[hops];
        this.cursors = new int[hops + 1];
    }

    @Override
    public boolean hasNext() {
        if (next == null && advance()) {
            next = new Path(Arrays.copyOf(nodes, length + 1), Arrays.copyOf(walked, length));
        }
        return next != null;
    }

    @Override
    public Path next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Path path = next;
        next = null;
        return path;
    }

    private boolean advance() {
        while (depth >= 0 || startNext()) {
            if (++steps % STEPS_PER_CHECKPOINT == 0) {
                checkpoint.run();
            }
            int node = nodes[depth];
            if (cursors[depth] == graph.offsets()[node + 1]) {
                depth--;
                continue;
            }
            int entry = cursors[depth]++;
            int target = graph.targets()[entry];
            if (!revisit.allows(nodes, depth, target)) {
                continue;
            }
            walked[depth] = entry;
            nodes[depth + 1] = target;
            if (depth + 1 == length) {
                return true;
            }
            cursors[++depth] = graph.offsets()[target];
        }
        return false;
    }

    /** Begins at the next anchor, or at the first one with the next length; false: all is done. */
    private boolean startNext() {
        if (++anchor >= graph.anchors()) {
            anchor = 0;
            length++;
        }
        if (length > hops || graph.anchors() == 0) {
            return false;
        }
        depth = 0;
        nodes[0] = anchor;
        cursors[0] = graph.offsets()[anchor];
        return true;
    }
}
