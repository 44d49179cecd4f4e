package trellis.trie;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A small random multigraph: parallel relationships, self-loops, cycles and a hub. */
public record RandomGraph(int nodeCount, String[] relationTypes, List<Edge> edges) implements Adjacency {
    public record Edge(long start, int type, long end) {}

    public static RandomGraph of(long seed) {
        Random random = new Random(seed);
        int nodeCount = 1 + random.nextInt(14);
        String[] types = new String[1 + random.nextInt(4)];
        for (int i = 0; i < types.length; i++) {
            types[i] = "type" + i;
        }
        List<Edge> edges = new ArrayList<>();
        boolean hub = random.nextBoolean();
        int count = random.nextInt(3 * nodeCount);
        for (int i = 0; i < count; i++) {
            long start = hub && random.nextBoolean() ? 0 : random.nextInt(nodeCount);
            Edge edge = new Edge(id(start), random.nextInt(types.length), id(random.nextInt(nodeCount)));
            edges.add(edge);
            if (random.nextInt(5) == 0) {
                edges.add(edge);
            }
        }
        return new RandomGraph(nodeCount, types, edges);
    }

    /** Ids in another order than they were made, and beyond 32 bits. */
    public static long id(long number) {
        return (number * 7919 % 101) << 33 | number;
    }

    public long[] someNodes(long seed) {
        return new Random(seed).longs(0, nodeCount).limit(3).map(RandomGraph::id).distinct().toArray();
    }

    @Override
    public void expand(long node, Visitor visitor) {
        for (Edge edge : edges) {
            if (edge.start() == node && !visitor.visit(OUT, edge.type(), edge.end())) {
                return;
            }
            if (edge.end() == node && !visitor.visit(IN, edge.type(), edge.start())) {
                return;
            }
        }
    }
}
