package trellis.trie;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

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
    private static final List<String> NAME_PROPERTIES = List.of("_trellis_name", "name", "title");
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
        return (int) whole("hops", hops, 0, MAX_HOPS);
    }

    private static TrieConfig read(Map<String, Object> config, Set<String> keys) {
        if (config == null) {
            throw new IllegalArgumentException("config is null; allowed: a map, {} for the defaults");
        }
        for (String key : config.keySet()) {
            if (!keys.contains(key)) {
                throw new IllegalArgumentException(
                        "config.%s is unknown; allowed: %s"
                                .formatted(key, String.join(", ", new TreeSet<>(keys))));
            }
        }
        return new TrieConfig(
                (int) whole("config.edgeBudget", config.getOrDefault("edgeBudget", 200_000L), 0, MAX_EDGE_BUDGET),
                flag(config, "names", true),
                texts(config, "nameProperties", NAME_PROPERTIES),
                Set.copyOf(texts(config, "relationTypes", List.of())),
                Set.copyOf(texts(config, "excludeTypes", List.of())),
                Set.copyOf(texts(config, "excludeLabels", List.of())),
                Revisit.of(text(config, "revisit", "simple")),
                whole("config.limit", config.getOrDefault("limit", 10_000L), 0, Long.MAX_VALUE));
    }

    private static long whole(String what, Object value, long least, long most) {
        if (value instanceof Long number && number >= least && number <= most) {
            return number;
        }
        String range = most == Long.MAX_VALUE ? "from %d up".formatted(least) : "from %d to %d".formatted(least, most);
        throw new IllegalArgumentException(
                "%s is %s; allowed: a whole number %s".formatted(what, shown(value), range));
    }

    private static boolean flag(Map<String, Object> config, String key, boolean otherwise) {
        Object value = config.getOrDefault(key, otherwise);
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw new IllegalArgumentException(
                "config.%s is %s; allowed: true or false".formatted(key, shown(value)));
    }

    private static String text(Map<String, Object> config, String key, String otherwise) {
        Object value = config.getOrDefault(key, otherwise);
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(
                "config.%s is %s; allowed: a string".formatted(key, shown(value)));
    }

    static List<String> texts(Map<String, Object> config, String key, List<String> otherwise) {
        return texts("config." + key, config.getOrDefault(key, otherwise));
    }

    /** A list of strings, or what is wrong with it. */
    public static List<String> texts(String what, Object value) {
        if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw new IllegalArgumentException(
                "%s is %s; allowed: a list of strings".formatted(what, shown(value)));
    }

    private static String shown(Object value) {
        return value instanceof String text ? "'%s'".formatted(text) : String.valueOf(value);
    }
}
