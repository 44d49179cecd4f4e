package trellis.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.eclipse.collections.impl.map.mutable.primitive.IntLongHashMap;
import trellis.trie.Neighbourhood;

/**
 * All relation-type paths of 1 to {@code hops} steps from the anchors, shortest first, those of one
 * length by their beginnings and then by direction and type.
 *
 * <p>Walks that meet in a node go on as one, counted; they may come back anywhere. Work is one visit
 * for each entry of each node at a path's end, so it follows the paths and not the walks.
 */
public final class ReachableSearch {
    private final Neighbourhood graph;
    private final int hops;
    private final int limit;
    private final IntConsumer checkpoint;
    private final int firstCut;
    private long visits;

    private ReachableSearch(Neighbourhood graph, int hops, int limit, long visits, IntConsumer checkpoint) {
        this.graph = graph;
        this.hops = hops;
        this.limit = limit;
        this.visits = visits;
        this.checkpoint = checkpoint;
        this.firstCut = graph.cuts().stream().mapToInt(cut -> graph.levels()[cut.node()]).min().orElse(hops);
    }

    /**
     * At most {@code limit} paths, looked for with at most about {@code visits} visits of entries;
     * {@code checkpoint} is told how many entries come next, and may throw to stop the search.
     */
    public static List<RelationPath> run(
            Neighbourhood graph, int hops, int limit, long visits, IntConsumer checkpoint) {
        return new ReachableSearch(graph, hops, limit, visits, checkpoint).paths();
    }

    private List<RelationPath> paths() {
        List<RelationPath> found = new ArrayList<>();
        if (hops > 0) {
            found.addAll(first());
        }
        for (int next = 0; next < found.size(); next++) {
            RelationPath path = found.get(next);
            if (path.length() == hops || !path.followed()) {
                break;
            }
            List<RelationPath> more = longer(path, limit - found.size());
            if (more == null) {
                found.set(next, path.unfollowed());
            } else {
                found.addAll(more);
            }
        }
        return found;
    }

    private List<RelationPath> first() {
        List<RelationPath> first = longer(anchors(), Integer.MAX_VALUE);
        boolean all = first.size() <= limit;
        return all ? first : first.subList(0, limit).stream().map(RelationPath::unfollowed).toList();
    }

    private RelationPath anchors() {
        int[] ends = new int[graph.anchors()];
        Arrays.setAll(ends, anchor -> anchor);
        long[] walks = new long[ends.length];
        Arrays.fill(walks, 1);
        return new RelationPath(new int[0], ends, walks, true, true);
    }

    /** The paths of one step more; null where a budget does not allow all of them. */
    private List<RelationPath> longer(RelationPath path, int most) {
        SortedMap<Integer, IntLongHashMap> reached = new TreeMap<>();
        if (!reach(path, reached) || reached.size() > most) {
            return null;
        }
        List<RelationPath> paths = new ArrayList<>();
        boolean counted = path.length() < firstCut;
        reached.forEach((kind, ends) -> paths.add(extended(path, kind, ends, counted)));
        return paths;
    }

    private boolean reach(RelationPath path, SortedMap<Integer, IntLongHashMap> reached) {
        int types = graph.relationTypes().length;
        for (int i = 0; i < path.ends().length; i++) {
            int from = graph.offsets()[path.ends()[i]];
            int to = graph.offsets()[path.ends()[i] + 1];
            visits -= to - from;
            if (visits < 0) {
                return false;
            }
            checkpoint.accept(to - from);
            for (int entry = from; entry < to; entry++) {
                int kind = graph.directions()[entry] * types + graph.types()[entry];
                add(reached.computeIfAbsent(kind, k -> new IntLongHashMap()), graph.targets()[entry], path.walks()[i]);
            }
        }
        return true;
    }

    private static void add(IntLongHashMap ends, int end, long walks) {
        ends.put(end, Math.min(RelationPath.MOST_WALKS, ends.get(end) + walks));
    }

    private static RelationPath extended(RelationPath path, int kind, IntLongHashMap reached, boolean counted) {
        int[] kinds = Arrays.copyOf(path.kinds(), path.length() + 1);
        kinds[path.length()] = kind;
        int[] ends = reached.keySet().toArray();
        Arrays.sort(ends);
        long[] walks = Arrays.stream(ends).mapToLong(reached::get).toArray();
        return new RelationPath(kinds, ends, walks, counted && path.counted(), true);
    }
}
