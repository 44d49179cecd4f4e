package trellis.trace;

import java.util.Arrays;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;
import trellis.gsd.Pattern;

/**
 * What is to be traced.
 *
 * @param anchors for each node of the schema graph what it may be; null: any node
 * @param scores for each edge the score of each type, NaN where a type does not fit; null: any type, at score 0
 * @param guided the nodes of the guidance subgraph
 */
record TraceQuery(Pattern pattern, Anchors[] anchors, double[][] scores, LongHashSet guided, TraceRules rules) {
    boolean isListed(int node) {
        return anchors[node] != null;
    }

    boolean fits(int edge, int type) {
        return scores[edge] == null || !Double.isNaN(scores[edge][type]);
    }

    double score(int edge, int type) {
        return scores[edge] == null ? 0 : scores[edge][type];
    }

    /** The types that fit an edge; null: all. */
    int[] types(int edge) {
        if (scores[edge] == null) {
            return null;
        }
        int[] fitting = new int[scores[edge].length];
        int count = 0;
        for (int type = 0; type < fitting.length; type++) {
            if (fits(edge, type)) {
                fitting[count++] = type;
            }
        }
        return Arrays.copyOf(fitting, count);
    }
}
