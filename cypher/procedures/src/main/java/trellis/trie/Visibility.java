package trellis.trie;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

/** What a caller sees of a database: not what is ours, and not what it excludes. */
public final class Visibility {
    private static final String RESERVED_PREFIX = "_trellis";
    private static final String RESERVED_LABEL = "_TrellisMeta";

    private final Set<String> types = new TreeSet<>();
    private final List<Label> hiddenLabels = new ArrayList<>();

    /** All that {@code transaction} sees, less reserved names and what is excluded. */
    public Visibility(Transaction transaction, Collection<String> excludeTypes, Collection<String> excludeLabels) {
        for (RelationshipType type : transaction.getAllRelationshipTypes()) {
            if (!isReserved(type.name()) && !excludeTypes.contains(type.name())) {
                types.add(type.name());
            }
        }
        for (Label label : transaction.getAllLabels()) {
            if (label.name().equals(RESERVED_LABEL) || excludeLabels.contains(label.name())) {
                hiddenLabels.add(label);
            }
        }
    }

    /** Whether a label or type is ours, and so hidden from users. */
    public static boolean isReserved(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith(RESERVED_PREFIX);
    }

    /** The names of the relationship types that are seen, sorted. */
    public Set<String> types() {
        return types;
    }

    /** Whether there are labels at all whose nodes are not seen. */
    public boolean hidesNodes() {
        return !hiddenLabels.isEmpty();
    }

    /** Whether a node is not seen. */
    public boolean isHidden(Node node) {
        return hiddenLabels.stream().anyMatch(node::hasLabel);
    }
}
