package trellis.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import trellis.gsd.Pattern;
import trellis.trie.Arguments;

/** The candidates that a caller gives, as they stand: by node and by edge, null where anything fits. */
record TraceCandidates(List<Listed> nodes, List<Listed> relations) {
    private static final int MOST_LISTED = 1_000_000;

    /** Element ids or types, each with a score. */
    record Listed(List<String> names, double[] scores) {}

    static TraceCandidates read(Map<String, Object> candidates, Pattern schemaGraph) {
        Arguments.checkKeys("candidates", candidates, Set.of("nodes", "relations"));
        TraceCandidates read = new TraceCandidates(
                list("candidates.nodes", candidates.get("nodes"), schemaGraph.nodes(), "ids"),
                list("candidates.relations", candidates.get("relations"), schemaGraph.edges(), "types"));
        if (read.nodes.stream().allMatch(listed -> listed == null)) {
            throw new IllegalArgumentException(
                    "candidates.nodes lists no node; allowed: ids and scores of at least one, where a trace begins");
        }
        return read;
    }

    private static List<Listed> list(String what, Object given, int size, String kind) {
        List<Listed> lists = new ArrayList<>();
        if (given != null && !(given instanceof List<?> entries && entries.size() == size)) {
            String found = given instanceof List<?> entries ? "a list of " + entries.size() : Arguments.shown(given);
            throw new IllegalArgumentException("%s is %s; allowed: a list of %d, one for each in the schema graph"
                    .formatted(what, found, size));
        }
        for (int i = 0; i < size; i++) {
            Object entry = given == null ? null : ((List<?>) given).get(i);
            lists.add(entry == null ? null : listed("%s[%d]".formatted(what, i), entry, kind));
        }
        return lists;
    }

    private static Listed listed(String what, Object given, String kind) {
        if (!(given instanceof Map<?, ?> map && map.keySet().equals(Set.of(kind, "scores")))) {
            throw new IllegalArgumentException(
                    "%s is not understood; allowed: null, or a map of %s and scores".formatted(what, kind));
        }
        List<String> names = Arguments.texts(what + "." + kind, map.get(kind));
        double[] scores = scores(what + ".scores", map.get("scores"));
        if (names.size() != scores.length || names.size() > MOST_LISTED) {
            throw new IllegalArgumentException("%s has %d %s and %d scores; allowed: as many of both, at most %d"
                    .formatted(what, names.size(), kind, scores.length, MOST_LISTED));
        }
        return new Listed(names, scores);
    }

    private static double[] scores(String what, Object given) {
        if (!(given instanceof List<?> list)) {
            throw new IllegalArgumentException(
                    "%s is %s; allowed: a list of numbers".formatted(what, Arguments.shown(given)));
        }
        double[] scores = new double[list.size()];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = Arguments.number("%s[%d]".formatted(what, i), list.get(i), 0, TraceConfig.MOST_SCORE);
        }
        return scores;
    }
}
