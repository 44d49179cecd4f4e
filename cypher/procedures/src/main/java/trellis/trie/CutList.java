package trellis.trie;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Remembers the cuts that lost most, a bounded number of them. */
final class CutList {
    static final int CAPACITY = 100;

    private static final Comparator<Cut> WORST_FIRST =
            Comparator.comparingInt(Cut::lost)
                    .reversed()
                    .thenComparingInt(Cut::node)
                    .thenComparingInt(Cut::direction)
                    .thenComparing(Cut::relationType);

    private final PriorityQueue<Cut> worst = new PriorityQueue<>(WORST_FIRST.reversed());

    void add(Cut cut) {
        worst.add(cut);
        if (worst.size() > CAPACITY) {
            worst.poll();
        }
    }

    List<Cut> worstFirst() {
        return worst.stream().sorted(WORST_FIRST).toList();
    }
}
