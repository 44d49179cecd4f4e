package trellis.gsd;

import java.util.Arrays;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Reads how far beyond the nearest the relationships between data nodes are, for a group of edges. */
final class Scan {
    private static final int MANY_TYPES = 8;
    private static final int TIER_GROWTH = 4;
    private static final int BYTES_OF_A_CHILD = 32;

    private final DataGraph graph;
    private final Budget budget;

    Scan(DataGraph graph, Budget budget) {
        this.graph = graph;
        this.budget = budget;
    }

    /** Takes a neighbour and how far its relationships are beyond the nearest. */
    @FunctionalInterface
    interface Neighbour {
        void take(long neighbour, long excess);
    }

    /**
     * Shows the neighbours of {@code node}, mapped to the pattern node {@code at} of the group, whose
     * relationships fit; a neighbour may be shown several times, and its least excess is what counts.
     */
    void neighbours(EdgeGroup group, int at, long node, Neighbour taker) {
        neighbours(group, at, node, group.fewTypes(), taker);
    }

    private void neighbours(EdgeGroup group, int at, long node, int[] types, Neighbour taker) {
        budget.look();
        boolean atFirst = at == group.first();
        if (group.size() > 1) {
            gather(group, atFirst, node).forEachKeyValue((neighbour, kinds) -> take(group, kinds, neighbour, taker));
            return;
        }
        graph.expand(node, types, (leaves, type, neighbour, relationship) -> {
            budget.step();
            long excess = group.excess(0, EdgeGroup.kind(type, leaves == atFirst));
            if (excess != EdgeGroup.UNFIT && neighbour != node) {
                taker.take(neighbour, excess);
            }
            return true;
        });
    }

    private static void take(EdgeGroup group, IntArrayList kinds, long neighbour, Neighbour taker) {
        long excess = kinds.size() < group.size() ? EdgeGroup.UNFIT : group.least(kinds);
        if (excess != EdgeGroup.UNFIT) {
            taker.take(neighbour, excess);
        }
    }

    private LongObjectHashMap<IntArrayList> gather(EdgeGroup group, boolean atFirst, long node) {
        LongObjectHashMap<IntArrayList> kinds = new LongObjectHashMap<>();
        graph.expand(node, group.fewTypes(), (leaves, type, neighbour, relationship) -> {
            budget.step();
            int kind = EdgeGroup.kind(type, leaves == atFirst);
            if (neighbour != node && group.fits(kind)) {
                kinds.getIfAbsentPut(neighbour, IntArrayList::new).add(kind);
            }
            return true;
        });
        return kinds;
    }

    /** What a pattern node of {@code fit} may be mapped to where its neighbour {@code at} is mapped to {@code node}. */
    SortedLazily children(EdgeGroup group, int at, long node, NodeFit fit) {
        if (readsInTiers(group, node)) {
            return new SortedLazily(8, new TypeTiers(this, group, fit, at, node));
        }
        SortedLazily children = new SortedLazily(8);
        nearest(group, at, node, group.fewTypes())
                .forEachKeyValue((neighbour, excess) -> offer(neighbour, excess, fit, children));
        return children;
    }

    /** Adds a neighbour if it fits. */
    void offer(long neighbour, long excess, NodeFit fit, SortedLazily into) {
        long ofNode = fit.excess(graph, neighbour);
        if (ofNode != NodeFit.UNFIT) {
            budget.keep(BYTES_OF_A_CHILD);
            into.add(neighbour, excess + ofNode);
        }
    }

    /** The least excess of each neighbour by relationships of some types; null: of all. */
    LongLongHashMap nearest(EdgeGroup group, int at, long node, int[] types) {
        LongLongHashMap nearest = new LongLongHashMap();
        neighbours(group, at, node, types, (neighbour, excess) -> {
            if (excess < nearest.getIfAbsent(neighbour, Long.MAX_VALUE)) {
                nearest.put(neighbour, excess);
            }
        });
        return nearest;
    }

    /** The least excess of the relationships between two data nodes; {@link EdgeGroup#UNFIT} if they do not fit. */
    long between(EdgeGroup group, long first, long second) {
        IntArrayList kinds = new IntArrayList();
        collect(group, first, second, kinds, new LongArrayList());
        return group.least(kinds);
    }

    /** The relationships between two data nodes that any edge of the group may take: their kinds and numbers. */
    void collect(EdgeGroup group, long first, long second, IntArrayList kinds, LongArrayList relationships) {
        budget.look();
        boolean fromSecond = first != second && graph.degree(second) < graph.degree(first);
        long from = fromSecond ? second : first;
        long to = fromSecond ? first : second;
        DataGraph.Visitor collector = (leaves, type, neighbour, relationship) -> {
            budget.step();
            int kind = EdgeGroup.kind(type, leaves != fromSecond);
            if (neighbour == to && group.fits(kind)) {
                kinds.add(kind);
                relationships.add(relationship);
            }
            return true;
        };
        if (readsInTiers(group, from)) {
            collectNearest(group, from, kinds, collector);
        } else {
            graph.expand(from, group.fewTypes(), collector);
        }
    }

    private boolean readsInTiers(EdgeGroup group, long node) {
        return group.size() == 1 && group.nearestTypes().length > MANY_TYPES && graph.isDense(node);
    }

    /** Reads the nearest types first, until no other could be as near as what was found. */
    private void collectNearest(EdgeGroup group, long from, IntArrayList kinds, DataGraph.Visitor collector) {
        int[] types = group.nearestTypes();
        int tier = MANY_TYPES;
        for (int read = 0; read < types.length; read += tier, tier *= TIER_GROWTH) {
            long least = group.least(kinds);
            if (least != EdgeGroup.UNFIT && least < group.leastOfType(types[read])) {
                return;
            }
            graph.expand(from, Arrays.copyOfRange(types, read, Math.min(types.length, read + tier)), collector);
        }
    }
}
