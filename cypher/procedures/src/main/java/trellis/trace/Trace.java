package trellis.trace;

import java.util.Arrays;

/** One trace: a node for each node of the schema graph, and a relationship for each edge. */
record Trace(double score, long[] nodes, long[] relationships, int[] types, double[] scores)
        implements Comparable<Trace> {
    /** The best first; equal ones by their nodes, then by their relationships. */
    @Override
    public int compareTo(Trace other) {
        int byScore = Double.compare(other.score, score);
        int byNodes = byScore != 0 ? byScore : Arrays.compare(nodes, other.nodes);
        return byNodes != 0 ? byNodes : Arrays.compare(relationships, other.relationships);
    }
}
