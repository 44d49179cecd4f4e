package trellis.trace;

import java.util.stream.IntStream;
import org.eclipse.collections.impl.map.mutable.primitive.LongDoubleHashMap;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/** The nodes that one node of the schema graph may be: the best ones, best first. */
final class Anchors {
    private final long[] nodes;
    private final LongDoubleHashMap scores = new LongDoubleHashMap();

    private Anchors(long[] nodes, LongDoubleHashMap all) {
        this.nodes = nodes;
        for (long node : nodes) {
            scores.put(node, all.get(node));
        }
    }

    /** The {@code most} best of some nodes; guided ones count {@code boost} times their score. */
    static Anchors best(long[] nodes, double[] scores, LongHashSet guided, double boost, int most) {
        LongDoubleHashMap all = new LongDoubleHashMap();
        for (int i = 0; i < nodes.length; i++) {
            double score = guided.contains(nodes[i]) ? scores[i] * boost : scores[i];
            all.put(nodes[i], Math.max(score, all.getIfAbsent(nodes[i], score)));
        }
        long[] distinct = all.keySet().toSortedArray();
        long[] best = IntStream.range(0, distinct.length)
                .boxed()
                .sorted((a, b) -> Double.compare(all.get(distinct[b]), all.get(distinct[a])))
                .limit(most)
                .mapToLong(i -> distinct[i])
                .toArray();
        return new Anchors(best, all);
    }

    int size() {
        return nodes.length;
    }

    long node(int place) {
        return nodes[place];
    }

    boolean has(long node) {
        return scores.containsKey(node);
    }

    double score(long node) {
        return scores.get(node);
    }
}
