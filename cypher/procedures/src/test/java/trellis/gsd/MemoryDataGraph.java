package trellis.gsd;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;

/** A small multigraph in memory: parallel relationships, self-loops, cycles and hubs. */
public record MemoryDataGraph(int nodeCount, int typeCount, List<Edge> edges, List<List<Integer>> labels, List<Long> hidden)
        implements DataGraph {
    /** A relationship; its index in the list is its number. */
    public record Edge(long start, int type, long end) {}

    /** A graph of up to nine nodes. */
    public static MemoryDataGraph random(Random random) {
        int nodes = 1 + random.nextInt(9);
        int types = random.nextInt(3) == 0 ? 20 : 1 + random.nextInt(4);
        int count = random.nextInt(4 * nodes);
        boolean hub = random.nextBoolean();
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long start = hub && random.nextBoolean() ? 0 : random.nextInt(nodes);
            Edge edge = new Edge(start, random.nextInt(types), random.nextInt(nodes));
            edges.add(edge);
            if (random.nextInt(4) == 0) {
                edges.add(edge);
            }
        }
        List<List<Integer>> labels = new ArrayList<>();
        List<Long> hidden = new ArrayList<>();
        for (long node = 0; node < nodes; node++) {
            labels.add(random.ints(0, 3).limit(random.nextInt(3)).distinct().boxed().toList());
            if (random.nextInt(12) == 0) {
                hidden.add(node);
            }
        }
        return new MemoryDataGraph(nodes, types, edges, labels, hidden);
    }

    @Override
    public boolean isVisible(long node) {
        return !hidden.contains(node);
    }

    @Override
    public int degree(long node) {
        return (int) edges.stream().filter(edge -> edge.start == node || edge.end == node).count();
    }

    @Override
    public boolean isDense(long node) {
        return degree(node) > 3;
    }

    @Override
    public boolean hasLabel(long node, int label) {
        return labels.get((int) node).contains(label);
    }

    @Override
    public void expand(long node, int[] types, Visitor visitor) {
        for (int i = 0; i < edges.size(); i++) {
            Edge edge = edges.get(i);
            boolean here = edge.start == node || edge.end == node;
            long other = edge.start == node ? edge.end : edge.start;
            if (here && isWanted(types, edge.type) && !visitor.visit(edge.start == node, edge.type, other, i)) {
                return;
            }
        }
    }

    private static boolean isWanted(int[] types, int type) {
        if (types == null) {
            return true;
        }
        for (int wanted : types) {
            if (wanted == type) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void forEachNode(LongPredicate visitor) {
        for (long node = 0; node < nodeCount && visitor.test(node); node++) {
            continue;
        }
    }

    @Override
    public void forEachNode(int label, LongPredicate visitor) {
        forEachNode(node -> !hasLabel(node, label) || visitor.test(node));
    }

    @Override
    public void forEachEnd(int type, LongPredicate visitor) {
        for (Edge edge : edges) {
            if (edge.type == type && !(visitor.test(edge.start) && visitor.test(edge.end))) {
                return;
            }
        }
    }
}
