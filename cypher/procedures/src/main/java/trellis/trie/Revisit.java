package trellis.trie;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Whether a walk may come back to where it was. */
public enum Revisit {
    /** Anywhere. */
    ANY,
    /** Anywhere but to its anchor. */
    NOT_TOPIC,
    /** Nowhere: no node twice. */
    SIMPLE;

    /** The rule of a name; refuses any other. */
    public static Revisit of(String text) {
        for (Revisit revisit : values()) {
            if (revisit.text().equals(text)) {
                return revisit;
            }
        }
        String allowed =
                Arrays.stream(values()).map(Revisit::text).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
                "config.revisit is '%s'; allowed: %s".formatted(text, allowed));
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether {@code target} may follow the walk {@code nodes[0..depth]}. */
    boolean allows(int[] nodes, int depth, int target) {
        if (this == ANY) {
            return true;
        }
        for (int i = this == SIMPLE ? depth : 0; i >= 0; i--) {
            if (nodes[i] == target) {
                return false;
            }
        }
        return true;
    }
}
