package trellis.gsd;

/**
 * How far to look next: remembers how much lies beyond the horizon, and how far.
 *
 * <p>Distances are counted in buckets of a sixteenth of their power of two.
 */
final class Widening {
    private static final int PARTS = 16;

    private final long[] weights = new long[Long.SIZE * PARTS];
    private boolean any;

    /** Something of a weight lies at {@code excess}. */
    void add(long excess, long weight) {
        weights[bucket(excess)] += weight;
        any = true;
    }

    /** Whether anything was left out. */
    boolean isCut() {
        return any;
    }

    /** How far to look so that at least {@code weight} more comes into sight, or all there is. */
    long horizonFor(long weight) {
        long sum = 0;
        int last = 0;
        for (int bucket = 0; bucket < weights.length && sum < weight; bucket++) {
            sum += weights[bucket];
            last = weights[bucket] > 0 ? bucket : last;
        }
        return end(last);
    }

    private static int bucket(long excess) {
        if (excess < PARTS) {
            return (int) excess;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(excess) - 4;
        return (shift + 1) * PARTS + (int) (excess >> shift) - PARTS;
    }

    /** The largest number in a bucket. */
    private static long end(int bucket) {
        if (bucket < PARTS) {
            return bucket;
        }
        int shift = bucket / PARTS - 1;
        return ((long) (bucket % PARTS + PARTS + 1) << shift) - 1;
    }
}
