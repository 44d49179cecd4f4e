package trellis.gsd;

import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Reads how far beyond the nearest the relationships between data nodes are, for a group of edges. */
final class Scan {
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
        budget.look();
        boolean atFirst = at == group.first();
        if (group.size() > 1) {
            gather(group, atFirst, node).forEachKeyValue((neighbour, kinds) -> take(group, kinds, neighbour, taker));
            return;
        }
        graph.expand(node, group.fewTypes(), (leaves, type, neighbour, relationship) -> {
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

    /** The least excess of each neighbour. */
    LongLongHashMap nearest(EdgeGroup group, int at, long node) {
        LongLongHashMap nearest = new LongLongHashMap();
        neighbours(group, at, node, (neighbour, excess) -> {
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

    /** The relationships between two data nodes that fit any edge of the group: their kinds and numbers. */
    void collect(EdgeGroup group, long first, long second, IntArrayList kinds, LongArrayList relationships) {
        budget.look();
        boolean fromSecond = first != second && graph.degree(second) < graph.degree(first);
        long from = fromSecond ? second : first;
        long to = fromSecond ? first : second;
        graph.expand(from, group.fewTypes(), (leaves, type, neighbour, relationship) -> {
            budget.step();
            int kind = EdgeGroup.kind(type, leaves != fromSecond);
            if (neighbour == to && group.fits(kind)) {
                kinds.add(kind);
                relationships.add(relationship);
            }
            return true;
        });
    }
}
