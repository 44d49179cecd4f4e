package trellis.gsd;

import java.util.Arrays;

/** Gives each row a column of its own at the least sum, by the Hungarian method with potentials. */
final class Assignment {
    static final long IMPOSSIBLE = -1;

    private Assignment() {}

    /**
     * The least sum; {@link #IMPOSSIBLE} where not every row finds a column.
     *
     * @param costs [rows][columns]; negative where a row may not have a column
     */
    static long leastSum(long[][] costs) {
        int rows = costs.length;
        int columns = rows == 0 ? 0 : costs[0].length;
        long[] ofRow = new long[rows + 1];
        long[] ofColumn = new long[columns + 1];
        int[] owner = new int[columns + 1]; // of a column its row, 1-based; column 0 is the row to place
        for (int row = 1; row <= rows; row++) {
            owner[0] = row;
            if (!place(costs, ofRow, ofColumn, owner)) {
                return IMPOSSIBLE;
            }
        }
        long sum = 0;
        for (int column = 1; column <= columns; column++) {
            sum += owner[column] == 0 ? 0 : costs[owner[column] - 1][column - 1];
        }
        return sum;
    }

    /** Finds a column for the row in {@code owner[0]}, moving others where that is cheaper. */
    private static boolean place(long[][] costs, long[] ofRow, long[] ofColumn, int[] owner) {
        int columns = ofColumn.length - 1;
        long[] slack = new long[columns + 1];
        Arrays.fill(slack, Long.MAX_VALUE);
        boolean[] used = new boolean[columns + 1];
        int[] from = new int[columns + 1];
        int column = 0;
        while (owner[column] != 0) {
            used[column] = true;
            int next = relax(costs, ofRow, ofColumn, owner, slack, used, from, column);
            if (next < 0) {
                return false;
            }
            shift(ofRow, ofColumn, owner, slack, used, slack[next]);
            column = next;
        }
        while (column != 0) {
            owner[column] = owner[from[column]];
            column = from[column];
        }
        return true;
    }

    private static int relax(
            long[][] costs, long[] ofRow, long[] ofColumn, int[] owner,
            long[] slack, boolean[] used, int[] from, int column) {
        int row = owner[column];
        int next = -1;
        for (int other = 1; other < slack.length; other++) {
            if (used[other]) {
                continue;
            }
            long cost = costs[row - 1][other - 1];
            if (cost >= 0 && cost - ofRow[row] - ofColumn[other] < slack[other]) {
                slack[other] = cost - ofRow[row] - ofColumn[other];
                from[other] = column;
            }
            if (slack[other] != Long.MAX_VALUE && (next < 0 || slack[other] < slack[next])) {
                next = other;
            }
        }
        return next;
    }

    private static void shift(
            long[] ofRow, long[] ofColumn, int[] owner, long[] slack, boolean[] used, long by) {
        for (int column = 0; column < slack.length; column++) {
            if (used[column]) {
                ofRow[owner[column]] += by;
                ofColumn[column] -= by;
            } else if (slack[column] != Long.MAX_VALUE) {
                slack[column] -= by;
            }
        }
    }
}
