package trellis.trie;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

/**
 * Level-exact breadth-first search: every relationship of every node nearer than the last level.
 *
 * <p>Relationships are followed in both directions and keep theirs. Each relationship of an expanded
 * node costs one entry of the budget. The level that does not fit is cut fairly: its relationships,
 * grouped by node, direction and type, get the same cap each and keep the neighbours of lowest id.
 * Nothing is expanded beyond it.
 */
public final class NeighbourhoodSearch {
    private static final int UNPLACED = -1;
    private static final long MOST_REMEMBERED = 4_000_000; // neighbours of a level, of 8 bytes each
    private static final long GROUP_COST = 20; // of a group beside its neighbours, in neighbours

    private final Adjacency graph;
    private final String[] relationTypes;
    private final LongArrayList nodes = new LongArrayList();
    private final IntArrayList levels = new IntArrayList();
    private final LongIntHashMap places = new LongIntHashMap();
    private final IntArrayList offsets = IntArrayList.newListWith(0);
    private final LongArrayList entries = new LongArrayList(); // kind and target: sorts as a row does
    private final CutList cuts = new CutList();
    private int remaining;
    private int cutNodes;

    private NeighbourhoodSearch(Adjacency graph, int edgeBudget) {
        this.graph = graph;
        this.relationTypes = graph.relationTypes();
        this.remaining = edgeBudget;
    }

    /** Searches from the anchors (distinct node ids); nodes at level {@code hops} are not expanded. */
    public static Neighbourhood run(Adjacency graph, long[] anchors, int hops, int edgeBudget) {
        NeighbourhoodSearch search = new NeighbourhoodSearch(graph, edgeBudget);
        for (long anchor : anchors) {
            search.place(anchor, 0);
        }
        int from = 0;
        for (int level = 0; level < hops && from < search.nodes.size(); level++) {
            int to = search.nodes.size();
            search.expandLevel(level, from, to);
            from = to;
        }
        return search.result(anchors.length);
    }

    private void place(long node, int level) {
        places.put(node, nodes.size());
        nodes.add(node);
        levels.add(level);
    }

    private void expandLevel(int level, int from, int to) {
        if (remaining == 0 && level > 0) {
            skipLevel(from, to);
            return;
        }
        LevelRows rows = readWhole(from, to);
        if (rows.overflown()) {
            rows = readFairly(from, to);
        }
        placeNew(rows, level + 1);
        append(rows);
        remaining -= rows.entries();
    }

    private LevelRows readWhole(int from, int to) {
        LevelRows rows = new LevelRows(relationTypes.length, remaining);
        for (int node = from; node < to && !rows.overflown(); node++) {
            graph.expand(nodes.get(node), rows::add);
            rows.endRow();
        }
        return rows;
    }

    private LevelRows readFairly(int from, int to) {
        LevelGroups groups = new LevelGroups();
        FairShare share = FairShare.of(groupSizes(groups, from, to), remaining);
        int leftover = share.leftover();
        LevelRows rows = new LevelRows(relationTypes.length, remaining);
        for (int node = from; node < to; node++) {
            boolean whole = true;
            for (var group : groups.at(node).entrySet()) {
                LongArrayList neighbours = group.getValue().sortThis();
                int kept = Math.min(neighbours.size(), share.cap());
                if (kept < neighbours.size() && leftover > 0) {
                    kept++;
                    leftover--;
                }
                for (int i = 0; i < kept; i++) {
                    rows.add(group.getKey(), neighbours.get(i));
                }
                if (kept < neighbours.size()) {
                    cuts.add(cut(node, group.getKey(), kept, neighbours.size()));
                    whole = false;
                }
            }
            rows.endRow();
            cutNodes += whole ? 0 : 1;
        }
        return rows;
    }

    /** No budget is left: every one of these nodes was reached by a relationship, so its row lacks it. */
    private void skipLevel(int from, int to) {
        cutNodes += to - from;
        for (int node = from; node < Math.min(to, from + CutList.CAPACITY); node++) {
            for (var group : groups(node).entrySet()) {
                cuts.add(cut(node, group.getKey(), 0, group.getValue().size()));
            }
        }
    }

    private int[] groupSizes(LevelGroups groups, int from, int to) {
        IntArrayList sizes = new IntArrayList();
        for (int node = from; node < to; node++) {
            groups.at(node).values().forEach(neighbours -> sizes.add(neighbours.size()));
        }
        return sizes.toArray();
    }

    private SortedMap<Integer, LongArrayList> groups(int node) {
        SortedMap<Integer, LongArrayList> groups = new TreeMap<>();
        graph.expand(
                nodes.get(node),
                (direction, type, neighbour) ->
                        groups.computeIfAbsent(
                                        direction * relationTypes.length + type,
                                        kind -> new LongArrayList())
                                .add(neighbour));
        return groups;
    }

    /** The groups of a level's nodes: read once while they are not too many to remember, else again. */
    private final class LevelGroups {
        private final IntObjectHashMap<SortedMap<Integer, LongArrayList>> remembered = new IntObjectHashMap<>();
        private long left = MOST_REMEMBERED;

        SortedMap<Integer, LongArrayList> at(int node) {
            SortedMap<Integer, LongArrayList> known = remembered.get(node);
            if (known != null) {
                return known;
            }
            SortedMap<Integer, LongArrayList> read = groups(node);
            long size = GROUP_COST * (1L + read.size());
            for (LongArrayList neighbours : read.values()) {
                size += neighbours.size();
            }
            if (size <= left) {
                left -= size;
                remembered.put(node, read);
            }
            return read;
        }
    }

    private Cut cut(int node, int kind, int kept, int total) {
        int direction = kind / relationTypes.length;
        return new Cut(node, relationTypes[kind % relationTypes.length], direction, kept, total);
    }

    private void placeNew(LevelRows rows, int level) {
        LongArrayList found = new LongArrayList();
        for (int entry = 0; entry < rows.entries(); entry++) {
            long neighbour = rows.neighbour(entry);
            if (!places.containsKey(neighbour)) {
                places.put(neighbour, UNPLACED);
                found.add(neighbour);
            }
        }
        found.sortThis().forEach(node -> place(node, level));
    }

    private void append(LevelRows rows) {
        for (int row = 0; row < rows.rows(); row++) {
            long[] sorted = new long[rows.end(row) - rows.start(row)];
            for (int i = 0; i < sorted.length; i++) {
                int entry = rows.start(row) + i;
                sorted[i] = (long) rows.kind(entry) << 32 | places.get(rows.neighbour(entry));
            }
            Arrays.sort(sorted);
            entries.addAll(sorted);
            offsets.add(entries.size());
        }
    }

    private Neighbourhood result(int anchors) {
        while (offsets.size() <= nodes.size()) {
            offsets.add(entries.size());
        }
        int[] targets = new int[entries.size()];
        int[] types = new int[entries.size()];
        byte[] directions = new byte[entries.size()];
        for (int i = 0; i < targets.length; i++) {
            long entry = entries.get(i);
            int kind = (int) (entry >> 32);
            targets[i] = (int) entry;
            types[i] = kind % relationTypes.length;
            directions[i] = (byte) (kind / relationTypes.length);
        }
        return new Neighbourhood(
                nodes.toArray(), levels.toArray(), anchors, renumber(types), offsets.toArray(),
                targets, types, directions, cuts.worstFirst(), cutNodes);
    }

    /** Leaves the types that occur, in their order; gives their names. */
    private String[] renumber(int[] types) {
        int[] numbers = new int[relationTypes.length];
        for (int type : types) {
            numbers[type] = 1;
        }
        int used = 0;
        String[] names = new String[relationTypes.length];
        for (int type = 0; type < numbers.length; type++) {
            if (numbers[type] == 1) {
                names[used] = relationTypes[type];
                numbers[type] = used++;
            }
        }
        for (int i = 0; i < types.length; i++) {
            types[i] = numbers[types[i]];
        }
        return Arrays.copyOf(names, used);
    }
}
