package trellis.gsd;

import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Min-sum messages along the plan's tree, as far as the horizon.
 *
 * <p>A message of a node's subtree says for each data node that its parent may be mapped to how much
 * more the subtree costs at least: exactly its best completion, cycles and injectivity aside. Only
 * nodes that are listed, or that were reached from listed ones, are read.
 */
final class Messages {
    private static final int ENTRY_BYTES = 96; // sorted children too
    private static final int ENTRIES_OF_A_NODE = 10; // as a guess, of nodes not yet read
    private static final int LEAST_WIDENING = 512;

    private final DataGraph graph;
    private final PatternQuery query;
    private final Plan plan;
    private final long horizon;
    private final Budget budget;
    private final Scan scan;
    private final Message[] messages;
    private final Widening widening = new Widening();
    private long entries;

    /** A partial match of a subtree's root and what it then costs. */
    @FunctionalInterface
    private interface Support {
        void take(long node, long cost);
    }

    /** To each data node of the parent: its cheapest child, and all of them, as chains. */
    private static final class Message {
        private final LongLongHashMap least = new LongLongHashMap();
        private final LongIntHashMap latest = new LongIntHashMap();
        private final IntArrayList earlier = new IntArrayList();
        private final LongArrayList children = new LongArrayList();
        private final LongArrayList costs = new LongArrayList();
        private final LongObjectHashMap<SortedLazily> sorted = new LongObjectHashMap<>();

        private void add(long parent, long child, long cost) {
            least.put(parent, Math.min(cost, least.getIfAbsent(parent, cost)));
            earlier.add(latest.getIfAbsent(parent, -1));
            latest.put(parent, children.size());
            children.add(child);
            costs.add(cost);
        }

        private SortedLazily children(long parent) {
            return sorted.getIfAbsentPut(parent, () -> sort(parent));
        }

        private SortedLazily sort(long parent) {
            LongLongHashMap cheapest = new LongLongHashMap();
            for (int at = latest.getIfAbsent(parent, -1); at >= 0; at = earlier.get(at)) {
                long cost = costs.get(at);
                cheapest.put(children.get(at), Math.min(cost, cheapest.getIfAbsent(children.get(at), cost)));
            }
            SortedLazily children = new SortedLazily(cheapest.size());
            cheapest.forEachKeyValue(children::add);
            return children;
        }
    }

    private Messages(DataGraph graph, PatternQuery query, Plan plan, long horizon, Budget budget) {
        this.graph = graph;
        this.query = query;
        this.plan = plan;
        this.horizon = horizon;
        this.budget = budget;
        this.scan = new Scan(graph, budget);
        this.messages = new Message[query.size()];
    }

    /** All messages up to the root, of what costs no more than the horizon beyond the least. */
    static Messages pass(DataGraph graph, PatternQuery query, Plan plan, long horizon, Budget budget) {
        Messages messages = new Messages(graph, query, plan, horizon, budget);
        for (int at = query.size() - 1; at > 0; at--) {
            int node = plan.attached()[at];
            if (plan.grounded()[node]) {
                messages.send(node);
            }
        }
        return messages;
    }

    /** No messages: whoever asks must look at the graph. */
    static Messages none(DataGraph graph, PatternQuery query, Plan plan, Budget budget) {
        return new Messages(graph, query, plan, Long.MAX_VALUE, budget);
    }

    /** The first horizon: some listed nodes are within. */
    static long firstHorizon(PatternQuery query, Plan plan) {
        Widening listed = new Widening();
        for (int node = 0; node < query.size(); node++) {
            if (node != plan.root() && query.node(node).isListed()) {
                query.node(node).excesses().forEach(excess -> listed.add(excess, ENTRIES_OF_A_NODE));
            }
        }
        return listed.horizonFor(LEAST_WIDENING);
    }

    /** Whether anything beyond the horizon was left out. */
    boolean isCut() {
        return widening.isCut();
    }

    /** The next horizon: about twice as much is within. */
    long nextHorizon() {
        return Math.max(horizon + 1, widening.horizonFor(Math.max(LEAST_WIDENING, 2 * entries)));
    }

    /** Whether the children of a node are known from messages. */
    boolean has(int child) {
        return messages[child] != null;
    }

    /** The least cost of a child's subtree where its parent is mapped to {@code parent}, which it allows. */
    long least(int child, long parent) {
        return messages[child].least.get(parent);
    }

    /** What a child may be mapped to where its parent is mapped to {@code parent}. */
    SortedLazily children(int child, long parent) {
        return messages[child].children(parent);
    }

    /** What the root may be mapped to, with the least cost of a match; null: no message came to it. */
    SortedLazily roots() {
        int[] senders = senders(plan.root());
        if (senders.length == 0) {
            return null;
        }
        SortedLazily roots = new SortedLazily(16);
        support(plan.root(), senders, roots::add);
        return roots;
    }

    private int[] senders(int node) {
        IntArrayList senders = new IntArrayList();
        for (int child = 0; child < messages.length; child++) {
            if (plan.parent()[child] == node && messages[child] != null) {
                senders.add(child);
            }
        }
        return senders.toArray();
    }

    private void send(int child) {
        messages[child] = new Message();
        int parent = plan.parent()[child];
        EdgeGroup group = query.between(child, parent);
        NodeFit fit = query.node(parent);
        support(child, senders(child), (node, cost) -> scan.neighbours(group, child, node, (neighbour, excess) -> {
            entries++;
            long ofParent = fit.isListed() ? fit.excess(graph, neighbour) : 0;
            if (ofParent != NodeFit.UNFIT && isWithin(cost + excess + ofParent, 1)) {
                budget.keep(ENTRY_BYTES);
                messages[child].add(neighbour, node, cost + excess);
            }
        }));
    }

    private boolean isWithin(long cost, long weight) {
        if (cost > horizon) {
            widening.add(cost, weight);
            return false;
        }
        return true;
    }

    /** What a node may be mapped to by what its children say and by itself. */
    private void support(int node, int[] senders, Support support) {
        NodeFit fit = query.node(node);
        if (fit.isListed() && (senders.length == 0 || fit.nearest().size() < smallest(senders).least.size())) {
            listed(fit, senders, support);
            return;
        }
        Message smallest = smallest(senders);
        smallest.least.keysView().forEach(candidate -> {
            budget.step();
            offer(candidate, fit.excess(graph, candidate), senders, support);
        });
    }

    private void listed(NodeFit fit, int[] senders, Support support) {
        SortedLazily nearest = fit.nearest();
        int within = 0;
        while (nearest.has(within) && nearest.cost(within) <= horizon) {
            budget.step();
            offer(nearest.node(within), nearest.cost(within), senders, support);
            within++;
        }
        if (nearest.has(within)) {
            fit.excesses().forEach(excess -> isWithin(excess, ENTRIES_OF_A_NODE));
        }
    }

    private Message smallest(int[] senders) {
        Message smallest = messages[senders[0]];
        for (int sender : senders) {
            smallest = messages[sender].least.size() < smallest.least.size() ? messages[sender] : smallest;
        }
        return smallest;
    }

    private void offer(long node, long excess, int[] senders, Support support) {
        if (excess == NodeFit.UNFIT) {
            return;
        }
        long cost = excess;
        for (int sender : senders) {
            long more = messages[sender].least.getIfAbsent(node, NodeFit.UNFIT);
            if (more == NodeFit.UNFIT) {
                return;
            }
            cost += more;
        }
        if (isWithin(cost, ENTRIES_OF_A_NODE)) {
            support.take(node, cost);
        }
    }
}
