package trellis.gsd;

/**
 * Distances as whole numbers, whose sums are exact in any order.
 *
 * <p>A tick is 1e-12 where no distance is above 10,000, and larger by a power of ten where one is.
 * Sums of 64 distances fit.
 */
record Ticks(double perUnit) {
    /** The largest distance that is taken. */
    static final double MOST_DISTANCE = 1e9;

    private static final double FINEST = 1e12;
    private static final double MOST_TICKS = 1e16;

    static Ticks forLargest(double distance) {
        double perUnit = FINEST;
        while (distance * perUnit > MOST_TICKS) {
            perUnit /= 10;
        }
        return new Ticks(perUnit);
    }

    long of(double distance) {
        return (long) Math.rint(distance * perUnit);
    }

    double distance(long ticks) {
        return ticks / perUnit;
    }
}
