package trellis.schema;

/**
 * A relation-type path that at least one walk from the anchors takes.
 *
 * @param kinds of each step its direction and type in one: {@code direction * types + type}
 * @param ends the distinct nodes at its end, sorted
 * @param walks to each end, relationship by relationship; at most {@link #MOST_WALKS} each
 * @param counted whether no budget left relationships out that it takes
 * @param followed whether all longer paths that begin with it were looked for
 */
public record RelationPath(int[] kinds, int[] ends, long[] walks, boolean counted, boolean followed) {
    /** Larger numbers of walks count as this one: what a double holds exactly. */
    public static final long MOST_WALKS = 1L << 53;

    int length() {
        return kinds.length;
    }

    long allWalks() {
        long sum = 0;
        for (long count : walks) {
            sum = Math.min(MOST_WALKS, sum + count);
        }
        return sum;
    }

    RelationPath unfollowed() {
        return new RelationPath(kinds, ends, walks, counted, false);
    }
}
