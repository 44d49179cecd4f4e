package trellis.gsd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;

/**
 * The edges of a pattern that join the same two nodes; they take different relationships.
 *
 * <p>A relationship is written as one number, its kind: twice its type, and 1 more where it leads from
 * the first node to the second.
 */
final class EdgeGroup {
    static final long UNFIT = NodeFit.UNFIT;
    private static final int FEW_TYPES = 16;

    private final int first;
    private final int second;
    private final int[] edges;
    private final long[][] excesses; // [edge of the group][kind]
    private final int[] fewTypes;
    private final int[] nearestTypes;

    private EdgeGroup(int first, int second, int[] edges, long[][] excesses) {
        this.first = first;
        this.second = second;
        this.edges = edges;
        this.excesses = excesses;
        int[] fitting = fitting(excesses);
        this.fewTypes = fitting.length <= FEW_TYPES ? fitting : null;
        this.nearestTypes = Arrays.stream(fitting).boxed()
                .sorted(Comparator.comparingLong(this::leastOfType)).mapToInt(Integer::intValue).toArray();
    }

    /** The groups of a pattern, in the order of their first edges. */
    static List<EdgeGroup> of(Pattern pattern, EdgeFit[] fits, boolean directed) {
        List<EdgeGroup> groups = new ArrayList<>();
        boolean[] grouped = new boolean[pattern.edges()];
        for (int edge = 0; edge < grouped.length; edge++) {
            if (!grouped[edge]) {
                groups.add(from(edge, pattern, fits, directed, grouped));
            }
        }
        return groups;
    }

    private static EdgeGroup from(int start, Pattern pattern, EdgeFit[] fits, boolean directed, boolean[] grouped) {
        int first = Math.min(pattern.sources()[start], pattern.targets()[start]);
        int second = Math.max(pattern.sources()[start], pattern.targets()[start]);
        IntArrayList edges = new IntArrayList();
        List<long[]> excesses = new ArrayList<>();
        for (int edge = start; edge < pattern.edges(); edge++) {
            int source = pattern.sources()[edge];
            int target = pattern.targets()[edge];
            if (Math.min(source, target) == first && Math.max(source, target) == second) {
                grouped[edge] = true;
                edges.add(edge);
                excesses.add(byKind(fits[edge].excesses(), directed && first != second, source == first));
            }
        }
        return new EdgeGroup(first, second, edges.toArray(), excesses.toArray(long[][]::new));
    }

    private static long[] byKind(long[] byType, boolean directed, boolean forward) {
        long[] byKind = new long[2 * byType.length];
        for (int type = 0; type < byType.length; type++) {
            byKind[2 * type] = directed && forward ? UNFIT : byType[type];
            byKind[2 * type + 1] = directed && !forward ? UNFIT : byType[type];
        }
        return byKind;
    }

    static int kind(int type, boolean fromFirst) {
        return 2 * type + (fromFirst ? 1 : 0);
    }

    int first() {
        return first;
    }

    int second() {
        return second;
    }

    boolean isLoop() {
        return first == second;
    }

    boolean joins(int node, int other) {
        return first == Math.min(node, other) && second == Math.max(node, other);
    }

    /** The pattern's edges in this group, in their order. */
    int[] edges() {
        return edges;
    }

    int size() {
        return edges.length;
    }

    /** How far a relationship of a kind is beyond the nearest, for one edge of the group. */
    long excess(int edge, int kind) {
        return excesses[edge][kind];
    }

    /** Whether a relationship of a kind fits any edge of the group. */
    boolean fits(int kind) {
        for (long[] byKind : excesses) {
            if (byKind[kind] != UNFIT) {
                return true;
            }
        }
        return false;
    }

    /** The types that fit any edge, where they are few; null: so many that all may be read. */
    int[] fewTypes() {
        return fewTypes;
    }

    /** The types that fit any edge, nearest first. */
    int[] nearestTypes() {
        return nearestTypes;
    }

    /** The least excess of a type that fits any edge. */
    long leastOfType(int type) {
        long least = Long.MAX_VALUE;
        for (long[] byKind : excesses) {
            for (int kind = 2 * type; kind <= 2 * type + 1; kind++) {
                least = byKind[kind] == UNFIT ? least : Math.min(least, byKind[kind]);
            }
        }
        return least;
    }

    /** The types that fit any edge; null: all of them. */
    int[] listedTypes() {
        int[] types = fitting(excesses);
        return types.length < excesses[0].length / 2 ? types : null;
    }

    private static int[] fitting(long[][] excesses) {
        IntArrayList types = new IntArrayList();
        for (int type = 0; type < excesses[0].length / 2; type++) {
            int kind = 2 * type;
            if (Arrays.stream(excesses).anyMatch(byKind -> byKind[kind] != UNFIT || byKind[kind + 1] != UNFIT)) {
                types.add(type);
            }
        }
        return types.toArray();
    }

    /** The least excess at which the edges take different ones of these relationships; {@link #UNFIT} if they cannot. */
    long least(IntArrayList kinds) {
        if (edges.length == 1) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < kinds.size(); i++) {
                long excess = excesses[0][kinds.get(i)];
                least = excess == UNFIT ? least : Math.min(least, excess);
            }
            return least == Long.MAX_VALUE ? UNFIT : least;
        }
        int[] enough = enough(kinds);
        return enough.length < edges.length ? UNFIT : Assignment.leastSum(costs(enough));
    }

    /** Of relationships alike no more than there are edges. */
    private int[] enough(IntArrayList kinds) {
        int[] sorted = kinds.toSortedArray();
        IntArrayList enough = new IntArrayList();
        for (int i = 0; i < sorted.length; i++) {
            if (i < edges.length || sorted[i - edges.length] != sorted[i]) {
                enough.add(sorted[i]);
            }
        }
        return enough.toArray();
    }

    private long[][] costs(int[] kinds) {
        return Arrays.stream(excesses)
                .map(byKind -> Arrays.stream(kinds).mapToLong(kind -> byKind[kind]).toArray())
                .toArray(long[][]::new);
    }

    /**
     * Which relationship each edge takes, as indices: the least sum, and of those the first by the
     * relationships' order, edge by edge. Null where they cannot.
     */
    int[] choose(IntArrayList kinds) {
        int[] columns = useful(kinds);
        long[][] costs = costs(Arrays.stream(columns).map(kinds::get).toArray());
        long least = columns.length < edges.length ? Assignment.IMPOSSIBLE : Assignment.leastSum(costs);
        if (least == Assignment.IMPOSSIBLE) {
            return null;
        }
        int[] chosen = new int[edges.length];
        for (int edge = 0; edge < chosen.length; edge++) {
            chosen[edge] = columns[fix(costs, edge, least)];
        }
        return chosen;
    }

    /** For each edge its nearest relationships, as many as there are edges: one of them is always free. */
    private int[] useful(IntArrayList kinds) {
        boolean[] useful = new boolean[kinds.size()];
        for (long[] byKind : excesses) {
            SortedLazily nearest = new SortedLazily(kinds.size());
            for (int i = 0; i < kinds.size(); i++) {
                if (byKind[kinds.get(i)] != UNFIT) {
                    nearest.add(i, byKind[kinds.get(i)]);
                }
            }
            for (int i = 0; i < edges.length && nearest.has(i); i++) {
                useful[(int) nearest.node(i)] = true;
            }
        }
        return IntStream.range(0, useful.length).filter(i -> useful[i]).toArray();
    }

    /** Gives an edge the first column with which the sum stays least, and to no other edge. */
    private static int fix(long[][] costs, int edge, long least) {
        long[] row = costs[edge];
        for (int column = 0; column < row.length; column++) {
            if (row[column] >= 0) {
                costs[edge] = only(row, column);
                if (Assignment.leastSum(costs) == least) {
                    return column;
                }
            }
        }
        throw new IllegalStateException("an assignment that was possible is not");
    }

    private static long[] only(long[] row, int column) {
        long[] only = new long[row.length];
        Arrays.fill(only, Assignment.IMPOSSIBLE);
        only[column] = row[column];
        return only;
    }
}
