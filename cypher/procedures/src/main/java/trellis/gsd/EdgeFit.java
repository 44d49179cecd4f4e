package trellis.gsd;

import java.util.Arrays;

/**
 * Which relationship types fit one pattern edge, and how far beyond the nearest each is, in ticks.
 *
 * @param excesses by type; {@link NodeFit#UNFIT} where it does not fit
 * @param least the least distance of a type that fits
 */
record EdgeFit(long[] excesses, long least, boolean isAny) {
    static EdgeFit any(int typeCount) {
        return new EdgeFit(new long[typeCount], 0, true);
    }

    /** Listed types; a type that is listed twice has its least distance. */
    static EdgeFit listed(int typeCount, int[] types, long[] ticks) {
        long least = Arrays.stream(ticks).min().orElse(0);
        long[] excesses = new long[typeCount];
        Arrays.fill(excesses, NodeFit.UNFIT);
        for (int i = 0; i < types.length; i++) {
            long before = excesses[types[i]];
            long excess = ticks[i] - least;
            excesses[types[i]] = before == NodeFit.UNFIT ? excess : Math.min(before, excess);
        }
        return new EdgeFit(excesses, least, false);
    }

    boolean isEmpty() {
        return Arrays.stream(excesses).allMatch(excess -> excess == NodeFit.UNFIT);
    }
}
