package trellis.gsd;

import java.util.List;
import java.util.Map;
import java.util.Set;
import trellis.trie.Arguments;

/** What a caller may set; anything else is refused with what is allowed. */
record GsdConfig(
        boolean directed,
        double timeout,
        long memoryBytes,
        boolean summary,
        Set<String> excludeTypes,
        Set<String> excludeLabels) {

    static final int MOST_MATCHES = 100_000;
    private static final Set<String> KEYS =
            Set.of("directed", "timeout", "memory", "summary", "excludeTypes", "excludeLabels");
    private static final double MOST_SECONDS = 3_600;
    private static final int MOST_MEGABYTES = 65_536;

    static GsdConfig read(Map<String, Object> config) {
        Arguments.checkKeys("config", config, KEYS);
        return new GsdConfig(
                Arguments.flag(config, "directed", false),
                Arguments.number("config.timeout", config.getOrDefault("timeout", 20L), 0, MOST_SECONDS),
                memory(Arguments.whole("config.memory", config.getOrDefault("memory", 128L), 1, MOST_MEGABYTES)),
                Arguments.flag(config, "summary", false),
                Set.copyOf(Arguments.texts(config, "excludeTypes", List.of())),
                Set.copyOf(Arguments.texts(config, "excludeLabels", List.of())));
    }

    /** In bytes; never so much that one search could exhaust the server's. */
    private static long memory(long megabytes) {
        return Math.min(megabytes << 20, Runtime.getRuntime().maxMemory() / 4);
    }

    /** How many matches are wanted. */
    static int matches(Long k) {
        return (int) Arguments.whole("k", k, 1, MOST_MATCHES);
    }
}
