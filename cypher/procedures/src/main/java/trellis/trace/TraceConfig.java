package trellis.trace;

import java.util.List;
import java.util.Map;
import java.util.Set;
import trellis.trie.Arguments;
import trellis.trie.Revisit;

/** What a caller may set; anything else is refused with what is allowed. */
record TraceConfig(
        TraceRules rules,
        double boost,
        int anchors,
        double timeout,
        boolean summary,
        Set<String> excludeTypes,
        Set<String> excludeLabels) {

    static final int MOST_TRACES = 100_000;
    static final double MOST_SCORE = 1e6;
    private static final Set<String> KEYS =
            Set.of(
                    "strategy", "threshold", "bias", "boost", "turned", "anchors", "revisit", "shapes", "limit",
                    "timeout", "summary", "excludeTypes", "excludeLabels");
    private static final int MOST_ANCHORS = 1_000;
    private static final double MOST_SECONDS = 3_600;

    static TraceConfig read(Map<String, Object> config) {
        Arguments.checkKeys("config", config, KEYS);
        return new TraceConfig(
                rules(config),
                score(config, "boost", 1.5),
                (int) Arguments.whole("config.anchors", config.getOrDefault("anchors", 50L), 1, MOST_ANCHORS),
                Arguments.number("config.timeout", config.getOrDefault("timeout", 20L), 0, MOST_SECONDS),
                Arguments.flag(config, "summary", false),
                Set.copyOf(Arguments.texts(config, "excludeTypes", List.of())),
                Set.copyOf(Arguments.texts(config, "excludeLabels", List.of())));
    }

    private static TraceRules rules(Map<String, Object> config) {
        return new TraceRules(
                isBreadth(Arguments.text(config, "strategy", "precision")),
                score(config, "threshold", 0.6),
                score(config, "bias", 0.5),
                score(config, "turned", 0.0),
                Revisit.of(Arguments.text(config, "revisit", "simple")),
                Arguments.flag(config, "shapes", false),
                (int) Arguments.whole("config.limit", config.getOrDefault("limit", 1_000L), 1, MOST_TRACES));
    }

    private static boolean isBreadth(String strategy) {
        if (!Set.of("precision", "breadth").contains(strategy)) {
            throw new IllegalArgumentException(
                    "config.strategy is '%s'; allowed: precision, breadth".formatted(strategy));
        }
        return strategy.equals("breadth");
    }

    private static double score(Map<String, Object> config, String key, double otherwise) {
        return Arguments.number("config." + key, config.getOrDefault(key, otherwise), 0, MOST_SCORE);
    }
}
