package trellis.trie;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;

/** What a caller sees of a database: not what is ours, and not what it excludes. */
@SuppressWarnings("removal") // ids, which are safe inside one transaction
public final class Visibility {
    private static final String RESERVED_PREFIX = "_trellis";
    private static final String RESERVED_LABEL = "_TrellisMeta";
    private static final int MOST_LISTED = 2_000;

    private final Set<String> types = new TreeSet<>();
    private final List<Label> hiddenLabels = new ArrayList<>();
    private final LongHashSet hiddenNodes; // null where they are many

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
        hiddenNodes = list(transaction, hiddenLabels);
    }

    /** The nodes with these labels, if they are few: looking one up is faster than reading a node. */
    private static LongHashSet list(Transaction transaction, List<Label> labels) {
        LongHashSet nodes = new LongHashSet();
        for (Label label : labels) {
            try (ResourceIterator<Node> labelled = transaction.findNodes(label)) {
                while (labelled.hasNext()) {
                    nodes.add(labelled.next().getId());
                    if (nodes.size() > MOST_LISTED) {
                        return null;
                    }
                }
            }
        }
        return nodes;
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

    /** Whether to ask {@link #isHidden} costs no reading of a node. */
    boolean isListed() {
        return hiddenNodes != null;
    }

    /** Whether a node is not seen. */
    public boolean isHidden(Node node) {
        return hiddenNodes != null
                ? hiddenNodes.contains(node.getId())
                : hiddenLabels.stream().anyMatch(node::hasLabel);
    }
}
