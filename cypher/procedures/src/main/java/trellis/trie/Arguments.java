package trellis.trie;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads what a caller gives a procedure; anything else is refused with what is allowed. */
public final class Arguments {
    private Arguments() {}

    /** Refuses a map that is missing, or has other keys than {@code allowed}. */
    public static void checkKeys(String what, Map<String, Object> given, Set<String> allowed) {
        if (given == null) {
            throw new IllegalArgumentException("%s is null; allowed: a map, {} for the defaults".formatted(what));
        }
        for (String key : given.keySet()) {
            if (!allowed.contains(key)) {
                throw new IllegalArgumentException(
                        "%s.%s is unknown; allowed: %s"
                                .formatted(what, key, String.join(", ", new TreeSet<>(allowed))));
            }
        }
    }

    /** A whole number of a range. */
    public static long whole(String what, Object value, long least, long most) {
        if (value instanceof Long number && number >= least && number <= most) {
            return number;
        }
        String range = most == Long.MAX_VALUE ? "from %d up".formatted(least) : "from %d to %d".formatted(least, most);
        throw new IllegalArgumentException(
                "%s is %s; allowed: a whole number %s".formatted(what, shown(value), range));
    }

    /** A number of a range, whole or not. */
    public static double number(String what, Object value, double least, double most) {
        if (value instanceof Number number && number.doubleValue() >= least && number.doubleValue() <= most) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException(
                "%s is %s; allowed: a number from %s to %s".formatted(what, shown(value), least, most));
    }

    /** A setting that is true or false. */
    public static boolean flag(Map<String, Object> config, String key, boolean otherwise) {
        Object value = config.getOrDefault(key, otherwise);
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw new IllegalArgumentException(
                "config.%s is %s; allowed: true or false".formatted(key, shown(value)));
    }

    /** A setting that is a string. */
    public static String text(Map<String, Object> config, String key, String otherwise) {
        Object value = config.getOrDefault(key, otherwise);
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(
                "config.%s is %s; allowed: a string".formatted(key, shown(value)));
    }

    /** A setting that is a list of strings. */
    public static List<String> texts(Map<String, Object> config, String key, List<String> otherwise) {
        return texts("config." + key, config.getOrDefault(key, otherwise));
    }

    /** A list of strings. */
    public static List<String> texts(String what, Object value) {
        if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw new IllegalArgumentException(
                "%s is %s; allowed: a list of strings".formatted(what, shown(value)));
    }

    /** A value as an error shows it. */
    public static String shown(Object value) {
        return value instanceof String text ? "'%s'".formatted(text) : String.valueOf(value);
    }
}
