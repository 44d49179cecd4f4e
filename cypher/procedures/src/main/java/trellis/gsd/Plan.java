package trellis.gsd;

import java.util.Arrays;

/**
 * How a pattern is searched: its root, a spanning tree along which messages run to it, and the order
 * in which its nodes are mapped.
 *
 * @param parent of each node its parent in the tree; -1: the root
 * @param attached the nodes, each after its parent: messages run along them backwards
 * @param grounded whether a node's subtree has listed nodes, so that its messages are known
 * @param order the nodes as they are mapped, each after its parent
 */
record Plan(int root, int[] parent, int[] attached, boolean[] grounded, int[] order) {
    private static final double DEGREE = 10; // relationships of a node, as a guess
    private static final double BIAS = 10; // how many times more a node has that was reached by one

    /** The plan that reads least before the first match. */
    static Plan of(PatternQuery query) {
        Plan best = null;
        double least = Double.POSITIVE_INFINITY;
        for (int root = 0; root < query.size(); root++) {
            Plan plan = rooted(query, root);
            double work = plan.work(query);
            if (work < least) {
                best = plan;
                least = work;
            }
        }
        return best;
    }

    static Plan rooted(PatternQuery query, int root) {
        int[] parent = new int[query.size()];
        int[] attached = new int[query.size()];
        Arrays.fill(parent, -1);
        attached[0] = root;
        boolean[] placed = new boolean[query.size()];
        placed[root] = true;
        for (int at = 1; at < attached.length; at++) {
            int next = nextToAttach(query, placed);
            parent[next] = parentOf(query, next, attached, at);
            attached[at] = next;
            placed[next] = true;
        }
        boolean[] grounded = grounded(query, parent, attached);
        return new Plan(root, parent, attached, grounded, order(query, root, parent, grounded));
    }

    private static int nextToAttach(PatternQuery query, boolean[] placed) {
        int next = -1;
        int most = 0;
        for (int node = 0; node < placed.length; node++) {
            int joined = placed[node] ? 0 : placedNeighbours(query, node, placed);
            int weight = joined == 0 ? 0 : 1 + (joined > 1 ? 2 : 0) + (query.node(node).isListed() ? 1 : 0);
            if (weight > most) {
                next = node;
                most = weight;
            }
        }
        return next;
    }

    private static int placedNeighbours(PatternQuery query, int node, boolean[] placed) {
        return (int) Arrays.stream(query.neighbours(node)).filter(other -> placed[other]).count();
    }

    /** The latest neighbour; a listed one where there is one. */
    private static int parentOf(PatternQuery query, int node, int[] attached, int count) {
        int parent = -1;
        for (int at = 0; at < count; at++) {
            int other = attached[at];
            boolean better = parent < 0 || query.node(other).isListed() || !query.node(parent).isListed();
            if (query.between(node, other) != null && better) {
                parent = other;
            }
        }
        return parent;
    }

    private static boolean[] grounded(PatternQuery query, int[] parent, int[] attached) {
        boolean[] grounded = new boolean[parent.length];
        for (int at = attached.length - 1; at >= 0; at--) {
            int node = attached[at];
            grounded[node] |= query.node(node).isListed();
            if (parent[node] >= 0) {
                grounded[parent[node]] |= grounded[node];
            }
        }
        return grounded;
    }

    /** Nodes that close cycles first, then those whose messages are known, then by number. */
    private static int[] order(PatternQuery query, int root, int[] parent, boolean[] grounded) {
        int[] order = new int[parent.length];
        boolean[] placed = new boolean[parent.length];
        order[0] = root;
        placed[root] = true;
        for (int at = 1; at < order.length; at++) {
            int next = -1;
            int most = -1;
            for (int node = 0; node < parent.length; node++) {
                if (!placed[node] && placed[parent[node]]) {
                    boolean closes = placedNeighbours(query, node, placed) > 1;
                    int weight = (closes ? 2 : 0) + (grounded[node] ? 1 : 0);
                    if (weight > most) {
                        next = node;
                        most = weight;
                    }
                }
            }
            order[at] = next;
            placed[next] = true;
        }
        return order;
    }

    /**
     * How many of the first nodes belong to the root alone: their costs and those of other listed
     * roots add up. The second one does if it is any node, and no edge joins it with the root that
     * another root might count too.
     */
    int ownDepth(PatternQuery query) {
        boolean isOwn = order.length > 1 && query.node(order[1]).isAny();
        return isOwn ? 2 : 1;
    }

    /** How many relationships messages read, at a guess. */
    double work(PatternQuery query) {
        double[] size = new double[parent.length];
        Arrays.fill(size, Double.POSITIVE_INFINITY);
        double work = 0;
        for (int at = attached.length - 1; at >= 0; at--) {
            int node = attached[at];
            if (query.node(node).isListed()) {
                size[node] = Math.min(size[node], query.node(node).nearest().size());
            }
            if (parent[node] >= 0 && grounded[node]) {
                double bias = query.node(node).isListed() ? 1 : BIAS;
                work += size[node] * DEGREE * bias;
                size[parent[node]] = Math.min(size[parent[node]], size[node] * DEGREE);
            }
        }
        return work + (Double.isInfinite(size[root]) ? scanWork(query) : 0);
    }

    /** Where nothing is listed the root is looked for in the graph: by label, by relationships, or everywhere. */
    private double scanWork(PatternQuery query) {
        if (query.node(root).isLabelled()) {
            return query.node(root).labels().length;
        }
        int[] types = fewestTypes(query);
        return types == null ? 1e9 : 1e3 + types.length;
    }

    /** The types of the group at the root that fewest fit; null: all types fit. */
    int[] fewestTypes(PatternQuery query) {
        int[] fewest = null;
        for (EdgeGroup group : query.groups()) {
            int[] types = group.first() == root || group.second() == root ? group.listedTypes() : null;
            if (types != null && (fewest == null || types.length < fewest.length)) {
                fewest = types;
            }
        }
        return fewest;
    }
}
