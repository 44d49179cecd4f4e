package trellis.gsd;

import java.util.Arrays;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/**
 * The neighbours of a node with many relationships, nearest types first: of the few types that fit
 * best, then of four times as many, and so on.
 */
final class TypeTiers implements SortedLazily.Source {
    private static final int FIRST_TIER = 8;
    private static final int GROWTH = 4;

    private final Scan scan;
    private final EdgeGroup group;
    private final NodeFit fit;
    private final int at;
    private final long node;
    private final LongHashSet seen = new LongHashSet();
    private int read;
    private int next = FIRST_TIER;

    /** The neighbours of {@code node}, mapped to {@code at}, for a group of one edge, that fit {@code fit}. */
    TypeTiers(Scan scan, EdgeGroup group, NodeFit fit, int at, long node) {
        this.scan = scan;
        this.group = group;
        this.fit = fit;
        this.at = at;
        this.node = node;
    }

    @Override
    public long floor() {
        int[] types = group.nearestTypes();
        return read < types.length ? group.leastOfType(types[read]) : SortedLazily.NO_MORE;
    }

    @Override
    public void read(SortedLazily into) {
        int[] types = group.nearestTypes();
        int to = Math.min(types.length, read + next);
        int[] tier = Arrays.copyOfRange(types, read, to);
        read = to;
        next *= GROWTH;
        scan.nearest(group, at, node, tier).forEachKeyValue((neighbour, excess) -> {
            if (seen.add(neighbour)) {
                scan.offer(neighbour, excess, fit, into);
            }
        });
    }
}
