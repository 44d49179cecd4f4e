package trellis.gsd;

import java.util.function.LongPredicate;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/** A graph that remembers the relationships of nodes that it was asked for, as far as memory lasts. */
final class RememberedGraph implements DataGraph {
    /** The most relationships of a node that are read all at once. */
    static final int FEW = 64;

    private static final int BYTES_OF_A_NODE = 160;
    private static final int BYTES_OF_AN_ENTRY = 20;

    private final DataGraph graph;
    private final LongObjectHashMap<Row> rows = new LongObjectHashMap<>();
    private final LongHashSet dense = new LongHashSet();
    private final Budget budget;
    private long bytesLeft;

    /** The relationships of one node; kinds: twice the type, and 1 more where it leaves the node. */
    private record Row(int[] kinds, long[] neighbours, long[] relationships) {
        private boolean show(Visitor visitor) {
            for (int i = 0; i < kinds.length; i++) {
                if (!visitor.visit((kinds[i] & 1) == 1, kinds[i] >> 1, neighbours[i], relationships[i])) {
                    return false;
                }
            }
            return true;
        }
    }

    RememberedGraph(DataGraph graph, long bytes, Budget budget) {
        this.graph = graph;
        this.bytesLeft = bytes;
        this.budget = budget;
    }

    @Override
    public void expand(long node, int[] types, Visitor visitor) {
        Row row = rows.get(node);
        if (row == null && (types == null || !isDense(node))) {
            row = types == null ? remember(node, Long.MAX_VALUE) : rows.get(node);
        }
        if (row == null) {
            graph.expand(node, types, visitor);
        } else {
            row.show(types == null ? visitor : only(types, visitor));
        }
    }

    /** Looks whether there are more than few, and remembers them if there are not. */
    @Override
    public boolean isDense(long node) {
        if (dense.contains(node)) {
            return true;
        }
        Row row = rows.get(node);
        if (row == null) {
            row = remember(node, FEW);
        }
        boolean isDense = row == null || row.kinds().length > FEW;
        if (isDense) {
            dense.add(node);
        }
        return isDense;
    }

    private static Visitor only(int[] types, Visitor visitor) {
        return (leaves, type, neighbour, relationship) -> {
            for (int wanted : types) {
                if (wanted == type) {
                    return visitor.visit(leaves, type, neighbour, relationship);
                }
            }
            return true;
        };
    }

    /** The row of a node, read and kept; null: it is longer than {@code longest}, or there is no room for it. */
    private Row remember(long node, long longest) {
        long most = Math.min(longest, (bytesLeft - BYTES_OF_A_NODE) / BYTES_OF_AN_ENTRY);
        IntArrayList kinds = new IntArrayList();
        LongArrayList neighbours = new LongArrayList();
        LongArrayList relationships = new LongArrayList();
        graph.expand(node, null, (leaves, type, neighbour, relationship) -> {
            budget.step();
            kinds.add(2 * type + (leaves ? 1 : 0));
            neighbours.add(neighbour);
            relationships.add(relationship);
            return kinds.size() <= most;
        });
        if (kinds.size() > most) {
            return null;
        }
        bytesLeft -= BYTES_OF_A_NODE + (long) BYTES_OF_AN_ENTRY * kinds.size();
        Row row = new Row(kinds.toArray(), neighbours.toArray(), relationships.toArray());
        rows.put(node, row);
        return row;
    }

    @Override
    public int typeCount() {
        return graph.typeCount();
    }

    @Override
    public boolean isVisible(long node) {
        return graph.isVisible(node);
    }

    @Override
    public int degree(long node) {
        Row row = rows.get(node);
        return row == null ? graph.degree(node) : row.kinds().length;
    }

    @Override
    public boolean hasLabel(long node, int label) {
        return graph.hasLabel(node, label);
    }

    @Override
    public void forEachNode(LongPredicate visitor) {
        graph.forEachNode(visitor);
    }

    @Override
    public void forEachNode(int label, LongPredicate visitor) {
        graph.forEachNode(label, visitor);
    }

    @Override
    public void forEachEnd(int type, LongPredicate visitor) {
        graph.forEachEnd(type, visitor);
    }
}
