package trellis.gsd;

/** How long a search may take and how much it may keep; asked at every step. */
public final class Budget {
    private static final int STEPS_BETWEEN_LOOKS = 256;

    private long deadline;
    private long mostBytes;
    private final Runnable guard;
    private long bytes;
    private int steps;

    /** {@code guard} throws where the caller wants the work to end at once. */
    public Budget(double seconds, long mostBytes, Runnable guard) {
        this.deadline = System.nanoTime() + (long) (seconds * 1e9);
        this.mostBytes = mostBytes;
        this.guard = guard;
    }

    /** One step of work; throws {@link Spent} where the time is over. */
    public void step() {
        if (++steps % STEPS_BETWEEN_LOOKS == 0) {
            look();
        }
    }

    /** Looks at the clock and at the guard now. */
    public void look() {
        guard.run();
        if (System.nanoTime() - deadline > 0) {
            throw new Spent();
        }
    }

    /** Takes memory; throws {@link Spent} where there is no more. */
    void keep(long more) {
        bytes += more;
        if (bytes > mostBytes) {
            throw new Spent();
        }
    }

    /** Ends the limits: what follows is sure to be little. */
    void lift() {
        deadline = System.nanoTime() + Long.MAX_VALUE / 2;
        mostBytes = Long.MAX_VALUE;
    }

    /** Gives all memory back. */
    void release() {
        bytes = 0;
    }

    /** Time or memory is spent. */
    public static final class Spent extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Spent() {
            super("time or memory is spent", null, false, false);
        }
    }
}
