package trellis.trie;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a caller may set; anything else is refused with what is allowed. */
public record TrieConfig(
        int edgeBudget,
        boolean names,
        List<String> nameProperties,
        Set<String> relationTypes,
        Set<String> excludeTypes,
        Set<String> excludeLabels,
        Revisit revisit,
        long limit) {

    static final int MAX_HOPS = 8;
    private static final int MAX_EDGE_BUDGET = 50_000_000;
    /** The properties that name a node where the caller does not say others, the first that it has. */
    public static final List<String> NAME_PROPERTIES = List.of("_trellis_name", "name", "title");
    private static final Set<String> SHARED_KEYS =
            Set.of("edgeBudget", "names", "nameProperties", "relationTypes", "excludeTypes", "excludeLabels");
    private static final Set<String> PATH_KEYS = Set.of("revisit", "limit");
    private static final Set<String> REACHABLE_KEYS =
            Set.of("edgeBudget", "relationTypes", "excludeTypes", "excludeLabels", "limit");

    static TrieConfig forNeighbourhood(Map<String, Object> config) {
        return read(config, SHARED_KEYS);
    }

    static TrieConfig forPaths(Map<String, Object> config) {
        Set<String> keys = new HashSet<>(SHARED_KEYS);
        keys.addAll(PATH_KEYS);
        return read(config, keys);
    }

    /** What {@code trellis.schema.reachable} takes. */
    public static TrieConfig forReachable(Map<String, Object> config) {
        return read(config, REACHABLE_KEYS);
    }

    /** How far to go, where it is a number that is allowed. */
    public static int hops(Long hops) {
        return (int) Arguments.whole("hops", hops, 0, MAX_HOPS);
    }

    private static TrieConfig read(Map<String, Object> config, Set<String> keys) {
        Arguments.checkKeys("config", config, keys);
        return new TrieConfig(
                (int) Arguments.whole("config.edgeBudget", config.getOrDefault("edgeBudget", 200_000L), 0, MAX_EDGE_BUDGET),
                Arguments.flag(config, "names", true),
                Arguments.texts(config, "nameProperties", NAME_PROPERTIES),
                Set.copyOf(Arguments.texts(config, "relationTypes", List.of())),
                Set.copyOf(Arguments.texts(config, "excludeTypes", List.of())),
                Set.copyOf(Arguments.texts(config, "excludeLabels", List.of())),
                Revisit.of(Arguments.text(config, "revisit", "simple")),
                Arguments.whole("config.limit", config.getOrDefault("limit", 10_000L), 0, Long.MAX_VALUE));
    }
}
