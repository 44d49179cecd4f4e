package trellis.gsd;

import java.util.Arrays;

/** One mapping of a pattern's nodes, and its distance beyond the least possible one, in ticks. */
record Match(long[] nodes, long excess) implements Comparable<Match> {
    /** By distance, then by the nodes in the pattern's order. */
    @Override
    public int compareTo(Match other) {
        int byDistance = Long.compare(excess, other.excess);
        return byDistance != 0 ? byDistance : Arrays.compare(nodes, other.nodes);
    }
}
