package trellis.gsd;

/**
 * A small graph to be found: edge i leads from node {@code sources[i]} to node {@code targets[i]}.
 *
 * @param nodes how many nodes there are
 */
public record Pattern(int nodes, int[] sources, int[] targets) {
    /** The most nodes, and the most edges, that a pattern may have. */
    public static final int MOST = 16;

    /** How many edges there are. */
    public int edges() {
        return sources.length;
    }

    /** Whether every node is reached from the first. */
    boolean isConnected() {
        int reached = 1;
        for (int round = 0; round < nodes; round++) {
            for (int edge = 0; edge < edges(); edge++) {
                int ends = 1 << sources[edge] | 1 << targets[edge];
                if ((reached & ends) != 0) {
                    reached |= ends;
                }
            }
        }
        return reached == (1 << nodes) - 1;
    }
}
