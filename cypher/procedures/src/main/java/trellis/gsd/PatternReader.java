package trellis.gsd;

import java.util.List;
import java.util.Map;
import java.util.Set;
import trellis.trie.Arguments;

/** Reads a pattern that a caller gives, or says what is wrong with it. */
public final class PatternReader {
    private PatternReader() {}

    /** The pattern in the argument {@code what}. */
    public static Pattern read(String what, Map<String, Object> given) {
        Arguments.checkKeys(what, given, Set.of("nodes", "edges"));
        int nodes = (int) Arguments.whole(what + ".nodes", given.get("nodes"), 1, Pattern.MOST);
        List<?> edges = given.get("edges") == null ? List.of() : edges(what, given.get("edges"));
        int[] sources = new int[edges.size()];
        int[] targets = new int[edges.size()];
        for (int i = 0; i < edges.size(); i++) {
            String edge = "%s.edges[%d]".formatted(what, i);
            List<?> ends = ends(edge, edges.get(i));
            sources[i] = (int) Arguments.whole(edge + "[0]", ends.get(0), 0, nodes - 1);
            targets[i] = (int) Arguments.whole(edge + "[1]", ends.get(1), 0, nodes - 1);
        }
        Pattern pattern = new Pattern(nodes, sources, targets);
        if (!pattern.isConnected()) {
            throw new IllegalArgumentException(
                    what + " has several parts; allowed: one in which edges join all nodes (ask for each part alone)");
        }
        return pattern;
    }

    private static List<?> edges(String what, Object given) {
        if (given instanceof List<?> edges && edges.size() <= Pattern.MOST) {
            return edges;
        }
        String shown = given instanceof List<?> edges ? "a list of " + edges.size() : Arguments.shown(given);
        throw new IllegalArgumentException(
                "%s.edges is %s; allowed: a list of at most %d".formatted(what, shown, Pattern.MOST));
    }

    private static List<?> ends(String what, Object given) {
        if (given instanceof List<?> ends && ends.size() == 2) {
            return ends;
        }
        throw new IllegalArgumentException(
                "%s is %s; allowed: [source, target]".formatted(what, Arguments.shown(given)));
    }
}
