package trellis.trie;

import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/** The rows of one level, up to a limit of entries; an entry's kind is its direction and type in one. */
final class LevelRows {
    private final int typeCount;
    private final int limit;
    private final LongArrayList neighbours = new LongArrayList();
    private final IntArrayList kinds = new IntArrayList();
    private final IntArrayList ends = new IntArrayList();
    private boolean overflown;

    LevelRows(int typeCount, int limit) {
        this.typeCount = typeCount;
        this.limit = limit;
    }

    boolean add(int direction, int type, long neighbour) {
        return add(direction * typeCount + type, neighbour);
    }

    boolean add(int kind, long neighbour) {
        if (kinds.size() == limit) {
            overflown = true;
            return false;
        }
        kinds.add(kind);
        neighbours.add(neighbour);
        return true;
    }

    void endRow() {
        ends.add(kinds.size());
    }

    boolean overflown() {
        return overflown;
    }

    int entries() {
        return kinds.size();
    }

    int rows() {
        return ends.size();
    }

    int start(int row) {
        return row == 0 ? 0 : ends.get(row - 1);
    }

    int end(int row) {
        return ends.get(row);
    }

    int kind(int entry) {
        return kinds.get(entry);
    }

    long neighbour(int entry) {
        return neighbours.get(entry);
    }
}
