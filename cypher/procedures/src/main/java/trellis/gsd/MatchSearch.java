package trellis.gsd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Best-first search for matches: what it takes from its queue first comes first.
 *
 * <p>Branches come by their least possible cost, then by their nodes, unmapped ones first; so complete
 * matches come in their final order, and equal ones need not be listed before they are asked for.
 *
 * <p>The search has one or several starts, each a way to map the pattern from another root. With
 * several, a match is found from any of them, and none that is still hidden from all costs less than
 * the sum of what is next at each: their roots' costs, and those of the roots' own edges, add up.
 */
final class MatchSearch {
    private final DataGraph graph;
    private final PatternQuery query;
    private final Budget budget;
    private final Scan scan;
    private final int k;
    private final List<Start> starts = new ArrayList<>();
    private final PriorityQueue<Branch> queue = new PriorityQueue<>();
    private final PriorityQueue<Long> bestCosts = new PriorityQueue<>(Comparator.reverseOrder());
    private final LongObjectHashMap<SortedLazily>[][] scanned;
    private final TreeSet<Match> complete = new TreeSet<>();
    private final List<Match> found = new ArrayList<>();

    @SuppressWarnings({"unchecked", "rawtypes"})
    MatchSearch(DataGraph graph, PatternQuery query, int k, Budget budget) {
        this.graph = graph;
        this.query = query;
        this.k = k;
        this.budget = budget;
        this.scan = new Scan(graph, budget);
        this.scanned = new LongObjectHashMap[query.size()][query.size()];
    }

    /** Adds a start; of several, the first {@code depth} nodes of each are mapped as late as can be. */
    void start(Plan plan, Messages messages, int depth, SortedLazily roots) {
        Start start = new Start(plan, messages, depth);
        starts.add(start);
        budget.keep(bytes());
        long[] nothing = new long[query.size()];
        Arrays.fill(nothing, Branch.UNMAPPED);
        put(new Branch(start, nothing, 0, 0).opened(-1, 0, roots));
    }

    /** Looks for the first k matches that cost at most {@code horizon} beyond the least. */
    void run(long horizon) {
        while (found.size() < k) {
            budget.step();
            long hidden = hidden();
            boolean isNext = !queue.isEmpty() && (queue.peek().cost() < hidden || hidden == SortedLazily.NO_MORE);
            if (isNext && queue.peek().cost() <= horizon) {
                take(queue.poll());
            } else if (isNext || hidden == SortedLazily.NO_MORE || hidden > horizon) {
                return;
            } else {
                take(nextStart().queue().poll());
            }
        }
    }

    /** What a match costs at least that no start has come to. */
    private long hidden() {
        long sum = 0;
        for (Start start : starts) {
            if (start.next() == SortedLazily.NO_MORE) {
                return SortedLazily.NO_MORE;
            }
            sum += start.next();
        }
        return sum;
    }

    private Start nextStart() {
        Start next = starts.get(0);
        for (Start start : starts) {
            next = start.next() < next.next() ? start : next;
        }
        return next;
    }

    /** The matches that come first, in order; all of them unless the search ended early. */
    List<Match> found() {
        return found;
    }

    /** All complete matches that were seen, those too that others might yet precede. */
    TreeSet<Match> seen() {
        return complete;
    }

    private void take(Branch branch) {
        if (branch.isComplete()) {
            found.add(new Match(branch.nodes(), branch.cost()));
        } else if (!branch.isOpen()) {
            open(branch);
        } else if (!branch.holdsChild()) {
            branch.look();
            put(branch);
        } else {
            branch.start().note(branch);
            Branch child = extended(branch);
            branch.advance();
            put(branch);
            if (child != null) {
                wait(child);
            }
        }
    }

    /** Lets an open branch wait for the turn of its next child, or of reading what that is. */
    private void put(Branch branch) {
        long bound = branch.bound();
        if (bound == SortedLazily.NO_MORE) {
            budget.keep(-bytes());
            return;
        }
        branch.nodes()[branch.node()] = Branch.UNMAPPED;
        long others = bound(branch, branch.node());
        branch.hold();
        branch.setCost(others == SortedLazily.NO_MORE ? others : branch.base() + bound + others);
        if (branch.cost() <= worstOfBest()) {
            (branch.start().holds(branch) ? branch.start().queue() : queue).add(branch);
        } else {
            budget.keep(-bytes());
        }
    }

    /** What a branch takes in memory, about. */
    private long bytes() {
        return 112 + 8L * query.size();
    }

    /** What the roots of other starts cost at least that are not mapped yet, but for {@code node}. */
    private long bound(Branch branch, int node) {
        long sum = 0;
        for (Start start : starts) {
            boolean counts = start != branch.start() && start.plan().root() != node && !branch.start().holds(branch);
            long bound = counts ? start.bound(branch.nodes()) : 0;
            if (bound == SortedLazily.NO_MORE) {
                return bound;
            }
            sum += bound;
        }
        return sum;
    }

    private long worstOfBest() {
        return bestCosts.size() < k ? SortedLazily.NO_MORE - 1 : bestCosts.peek();
    }

    /** The partial match with the child that a branch holds; null: that does not fit. */
    private Branch extended(Branch branch) {
        long[] nodes = branch.nodes().clone();
        int node = branch.node();
        if (isTaken(nodes, node) || !graph.isVisible(nodes[node])) {
            return null;
        }
        long closing = closing(nodes, node, branch.from());
        return closing == EdgeGroup.UNFIT
                ? null
                : new Branch(branch.start(), nodes, branch.depth() + 1, branch.base() + branch.bound() + closing);
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
            if (closes && other != from && nodes[other] != Branch.UNMAPPED) {
                long excess = scan.between(group, nodes[group.first()], nodes[group.second()]);
                if (excess == EdgeGroup.UNFIT) {
                    return EdgeGroup.UNFIT;
                }
                sum += excess;
            }
        }
        return sum;
    }

    /** Lets a branch wait to be opened, or to be found. */
    private void wait(Branch branch) {
        long others = branch.isComplete() ? 0 : bound(branch, -1);
        if (others == SortedLazily.NO_MORE || branch.base() + others > worstOfBest()) {
            return;
        }
        branch.setCost(branch.base() + others);
        if (branch.isComplete() && !isNew(branch)) {
            return;
        }
        budget.keep(bytes());
        (!branch.isComplete() && branch.start().holds(branch) ? branch.start().queue() : queue).add(branch);
    }

    /** Whether no other start has come to a complete match, which is then counted. */
    private boolean isNew(Branch match) {
        boolean isNew = complete.add(new Match(match.nodes(), match.cost()));
        if (isNew) {
            bestCosts.add(match.cost());
        }
        if (bestCosts.size() > k) {
            bestCosts.poll();
        }
        return isNew;
    }

    /** Finds what the next node of a branch may be mapped to. */
    private void open(Branch branch) {
        Messages messages = branch.start().messages();
        int node = branch.node();
        if (messages.has(node)) {
            int parent = branch.start().plan().parent()[node];
            long told = branch.nodes()[parent];
            put(branch.opened(parent, branch.base() - messages.least(node, told), messages.children(node, told)));
        } else {
            int from = smallestNeighbour(branch.nodes(), node);
            put(branch.opened(from, branch.base(), scannedChildren(node, from, branch.nodes()[from])));
        }
    }

    /** Of the mapped neighbours of a node the one with the fewest relationships. */
    private int smallestNeighbour(long[] nodes, int node) {
        int[] mapped =
                Arrays.stream(query.neighbours(node)).filter(other -> nodes[other] != Branch.UNMAPPED).toArray();
        int smallest = mapped[0];
        for (int i = 1; i < mapped.length; i++) {
            smallest = graph.degree(nodes[mapped[i]]) < graph.degree(nodes[smallest]) ? mapped[i] : smallest;
        }
        return smallest;
    }

    private SortedLazily scannedChildren(int node, int from, long fromNode) {
        if (scanned[node][from] == null) {
            scanned[node][from] = new LongObjectHashMap<>();
        }
        return scanned[node][from].getIfAbsentPut(
                fromNode, () -> scan.children(query.between(node, from), from, fromNode, query.node(node)));
    }
}
