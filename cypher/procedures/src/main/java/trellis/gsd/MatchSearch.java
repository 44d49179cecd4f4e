package trellis.gsd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Best-first search for matches, led by the messages: what it takes from its queue first comes first.
 *
 * <p>A branch is a partial match and all that its next node may be mapped to, of which it holds one at
 * a time, the best that is left. A branch comes by its least possible cost, then by its nodes in the
 * pattern's order, unmapped ones first; so complete matches come in their final order, and equal ones
 * need not be listed before they are asked for.
 */
final class MatchSearch {
    private static final long UNMAPPED = -1;

    private final DataGraph graph;
    private final PatternQuery query;
    private final Plan plan;
    private final Messages messages;
    private final Budget budget;
    private final Scan scan;
    private final int k;
    private final PriorityQueue<Branch> queue = new PriorityQueue<>();
    private final PriorityQueue<Long> bestCosts = new PriorityQueue<>(Comparator.reverseOrder());
    private final LongObjectHashMap<SortedLazily>[][] scanned;
    private final LongObjectHashMap<SortedLazily>[] told;
    private final List<Match> found = new ArrayList<>();

    /** A partial match whose node at {@code depth} of the order is mapped to one of {@code children}. */
    private static final class Branch implements Comparable<Branch> {
        private final long[] nodes;
        private final int depth;
        private final int from;
        private final long base;
        private final SortedLazily children;
        private int next;
        private long cost;

        private Branch(long[] nodes, int depth, int from, long base, SortedLazily children) {
            this.nodes = nodes;
            this.depth = depth;
            this.from = from;
            this.base = base;
            this.children = children;
        }

        @Override
        public int compareTo(Branch other) {
            int byCost = Long.compare(cost, other.cost);
            return byCost != 0 ? byCost : Arrays.compare(nodes, other.nodes);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    MatchSearch(DataGraph graph, PatternQuery query, Plan plan, Messages messages, int k, Budget budget) {
        this.graph = graph;
        this.query = query;
        this.plan = plan;
        this.messages = messages;
        this.k = k;
        this.budget = budget;
        this.scan = new Scan(graph, budget);
        this.scanned = new LongObjectHashMap[query.size()][query.size()];
        this.told = new LongObjectHashMap[query.size()];
    }

    /** Looks for the first k matches that cost at most {@code horizon} beyond the least. */
    void run(SortedLazily roots, long horizon) {
        long[] nothing = new long[query.size()];
        Arrays.fill(nothing, UNMAPPED);
        put(new Branch(nothing, 0, -1, 0, roots));
        while (!queue.isEmpty() && found.size() < k && queue.peek().cost <= horizon) {
            budget.step();
            Branch branch = queue.poll();
            if (branch.depth == query.size()) {
                found.add(new Match(branch.nodes, branch.cost));
            } else {
                take(branch);
            }
        }
    }

    /** The matches that come first, in order; all of them unless the search ended early. */
    List<Match> found() {
        return found;
    }

    /** All complete matches that were seen, those too that others might yet precede. */
    List<Match> seen() {
        List<Match> seen = new ArrayList<>(found);
        for (Branch branch : queue) {
            if (branch.depth == query.size()) {
                seen.add(new Match(branch.nodes, branch.cost));
            }
        }
        return seen;
    }

    private void take(Branch branch) {
        long[] nodes = branch.nodes.clone();
        long cost = branch.cost;
        branch.next++;
        put(branch);
        int node = plan.order()[branch.depth];
        if (isTaken(nodes, node) || !graph.isVisible(nodes[node])) {
            return;
        }
        long closing = closing(nodes, node, branch.from);
        if (closing != EdgeGroup.UNFIT) {
            extend(nodes, cost + closing, branch.depth + 1);
        }
    }

    private void put(Branch branch) {
        if (!branch.children.has(branch.next)) {
            return;
        }
        branch.cost = branch.base + branch.children.cost(branch.next);
        if (branch.cost <= worstOfBest()) {
            branch.nodes[plan.order()[branch.depth]] = branch.children.node(branch.next);
            queue.add(branch);
        }
    }

    private long worstOfBest() {
        return bestCosts.size() < k ? Long.MAX_VALUE : bestCosts.peek();
    }

    private static boolean isTaken(long[] nodes, int node) {
        for (int other = 0; other < nodes.length; other++) {
            if (other != node && nodes[other] == nodes[node]) {
                return true;
            }
        }
        return false;
    }

    /** What the edges cost that a node closes with nodes mapped before, but {@code from}, and with itself. */
    private long closing(long[] nodes, int node, int from) {
        long sum = 0;
        for (EdgeGroup group : query.groups()) {
            boolean closes = group.first() == node || group.second() == node;
            int other = group.first() == node ? group.second() : group.first();
            if (closes && other != from && nodes[other] != UNMAPPED) {
                long excess = scan.between(group, nodes[group.first()], nodes[group.second()]);
                if (excess == EdgeGroup.UNFIT) {
                    return EdgeGroup.UNFIT;
                }
                sum += excess;
            }
        }
        return sum;
    }

    private void extend(long[] nodes, long cost, int depth) {
        if (cost > worstOfBest()) {
            return;
        }
        budget.keep(96 + 8L * nodes.length);
        if (depth == query.size()) {
            complete(nodes, cost);
            return;
        }
        int node = plan.order()[depth];
        if (messages.has(node)) {
            int parent = plan.parent()[node];
            SortedLazily children = toldChildren(node, nodes[parent]);
            put(new Branch(nodes, depth, parent, cost - messages.least(node, nodes[parent]), children));
        } else {
            int from = smallestNeighbour(nodes, node);
            put(new Branch(nodes, depth, from, cost, scannedChildren(node, from, nodes[from])));
        }
    }

    private void complete(long[] nodes, long cost) {
        Branch match = new Branch(nodes, query.size(), -1, cost, null);
        match.cost = cost;
        queue.add(match);
        bestCosts.add(cost);
        if (bestCosts.size() > k) {
            bestCosts.poll();
        }
    }

    private SortedLazily toldChildren(int node, long parent) {
        if (told[node] == null) {
            told[node] = new LongObjectHashMap<>();
        }
        return told[node].getIfAbsentPut(parent, () -> {
            SortedLazily children = messages.children(node, parent);
            budget.keep(64 + 32L * children.size());
            return children;
        });
    }

    /** Of the mapped neighbours of a node the one with the fewest relationships. */
    private int smallestNeighbour(long[] nodes, int node) {
        int smallest = -1;
        int fewest = Integer.MAX_VALUE;
        int[] mapped = Arrays.stream(query.neighbours(node)).filter(other -> nodes[other] != UNMAPPED).toArray();
        for (int other : mapped) {
            int degree = mapped.length == 1 ? 0 : graph.degree(nodes[other]);
            if (degree < fewest) {
                smallest = other;
                fewest = degree;
            }
        }
        return smallest;
    }

    private SortedLazily scannedChildren(int node, int from, long fromNode) {
        if (scanned[node][from] == null) {
            scanned[node][from] = new LongObjectHashMap<>();
        }
        return scanned[node][from].getIfAbsentPut(fromNode, () -> scanChildren(node, from, fromNode));
    }

    private SortedLazily scanChildren(int node, int from, long fromNode) {
        NodeFit fit = query.node(node);
        SortedLazily children = new SortedLazily(8);
        scan.nearest(query.between(node, from), from, fromNode).forEachKeyValue((neighbour, excess) -> {
            long ofNode = fit.excess(graph, neighbour);
            if (ofNode != NodeFit.UNFIT) {
                children.add(neighbour, excess + ofNode);
            }
        });
        budget.keep(64 + 32L * children.size());
        return children;
    }
}
