package trellis.trie;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;

/** The text that names a node: its first property of a list, or nothing. */
record Naming(List<String> properties) {
    String of(Node node) {
        try {
            for (String property : properties) {
                Object value = node.getProperty(property, null);
                if (value != null) {
                    return text(value);
                }
            }
        } catch (NotFoundException deletedMeanwhile) {
            return "";
        }
        return "";
    }

    private static String text(Object value) {
        if (!value.getClass().isArray()) {
            return value.toString();
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < Array.getLength(value); i++) {
            parts.add(Array.get(value, i).toString());
        }
        return String.join(", ", parts);
    }
}
