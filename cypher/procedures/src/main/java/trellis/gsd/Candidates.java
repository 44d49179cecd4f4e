package trellis.gsd;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import trellis.trie.Arguments;

/**
 * The candidates that a caller gives, as they stand: by node and by edge of the pattern, null where
 * anything fits.
 */
record Candidates(List<Listed> nodes, List<Listed> relations) {
    private static final int MOST_LISTED = 1_000_000;
    private static final Set<String> PACKED_KEYS = Set.of("prefix", "numbers", "distances");

    /**
     * Names of one kind ({@code ids}, {@code labels} or {@code types}), each with a distance.
     *
     * @param numbers where ids are packed: what follows the one name, which begins all of them; else null
     */
    record Listed(String kind, List<String> names, double[] distances, long[] numbers) {}

    static Candidates read(Map<String, Object> candidates, Pattern pattern) {
        Arguments.checkKeys("candidates", candidates, Set.of("nodes", "relations"));
        return new Candidates(
                list("candidates.nodes", candidates.get("nodes"), pattern.nodes(), Set.of("ids", "labels")),
                list("candidates.relations", candidates.get("relations"), pattern.edges(), Set.of("types")));
    }

    /** The largest distance of all. */
    double largest() {
        double largest = 0;
        for (List<Listed> lists : List.of(nodes, relations)) {
            for (Listed listed : lists) {
                for (int i = 0; listed != null && i < listed.distances().length; i++) {
                    largest = Math.max(largest, listed.distances()[i]);
                }
            }
        }
        return largest;
    }

    private static List<Listed> list(String what, Object given, int size, Set<String> kinds) {
        List<Listed> lists = new ArrayList<>();
        if (given == null) {
            for (int i = 0; i < size; i++) {
                lists.add(null);
            }
            return lists;
        }
        if (!(given instanceof List<?> entries) || entries.size() != size) {
            String found = given instanceof List<?> entries ? "a list of " + entries.size() : Arguments.shown(given);
            throw new IllegalArgumentException("%s is %s; allowed: a list of %d, one for each in the pattern"
                    .formatted(what, found, size));
        }
        for (int i = 0; i < size; i++) {
            String where = "%s[%d]".formatted(what, i);
            lists.add(entries.get(i) == null ? null : listed(where, entries.get(i), kinds));
        }
        return lists;
    }

    private static Listed listed(String what, Object given, Set<String> kinds) {
        if (kinds.contains("ids") && given instanceof Map<?, ?> map && map.keySet().equals(PACKED_KEYS)) {
            return packed(what, map);
        }
        String kind = null;
        if (given instanceof Map<?, ?> map && map.size() == 2 && map.containsKey("distances")) {
            kind = kinds.stream().filter(map::containsKey).findFirst().orElse(null);
        }
        if (kind == null) {
            throw new IllegalArgumentException("%s is not understood; allowed: null, or a map of %s and distances"
                    .formatted(what, String.join(" or ", kinds.stream().sorted().toList())));
        }
        Map<?, ?> map = (Map<?, ?>) given;
        List<String> names = Arguments.texts(what + "." + kind, map.get(kind));
        double[] distances = distances(what + ".distances", map.get("distances"));
        if (names.size() != distances.length || names.size() > MOST_LISTED) {
            throw new IllegalArgumentException("%s has %d %s and %d distances; allowed: as many of both, at most %d"
                    .formatted(what, names.size(), kind, distances.length, MOST_LISTED));
        }
        return new Listed(kind, names, distances, null);
    }

    /** Element ids as their common beginning and the numbers that follow, as drivers pass them fastest. */
    private static Listed packed(String what, Map<?, ?> map) {
        if (!(map.get("prefix") instanceof String prefix
                && map.get("numbers") instanceof byte[] numbers
                && map.get("distances") instanceof byte[] distances)
                || numbers.length != distances.length || numbers.length % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    what + " is not understood; allowed: prefix, numbers (int64) and distances (float64) as bytes");
        }
        ByteBuffer numberBytes = ByteBuffer.wrap(numbers).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer distanceBytes = ByteBuffer.wrap(distances).order(ByteOrder.LITTLE_ENDIAN);
        long[] found = new long[numbers.length / Long.BYTES];
        double[] at = new double[found.length];
        for (int i = 0; i < found.length; i++) {
            found[i] = numberBytes.getLong();
            at[i] = distance(what + ".distances", i, distanceBytes.getDouble());
        }
        return new Listed("ids", List.of(prefix), at, found);
    }

    private static double[] distances(String what, Object given) {
        if (!(given instanceof List<?> list)) {
            throw new IllegalArgumentException(
                    "%s is %s; allowed: a list of numbers".formatted(what, Arguments.shown(given)));
        }
        double[] distances = new double[list.size()];
        for (int i = 0; i < distances.length; i++) {
            distances[i] = distance(what, i, list.get(i));
        }
        return distances;
    }

    private static double distance(String what, int i, Object given) {
        if (given instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() <= Ticks.MOST_DISTANCE) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException("%s[%d] is %s; allowed: a number from 0 to %.0f"
                .formatted(what, i, Arguments.shown(given), Ticks.MOST_DISTANCE));
    }
}
