package trellis.gsd;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.eclipse.collections.impl.map.mutable.primitive.LongBooleanHashMap;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;
import trellis.trie.Visibility;

/**
 * A Neo4j graph as one transaction sees it, less what is hidden.
 *
 * <p>It speaks of nodes and relationships by their internal ids, which are safe inside one transaction
 * and far lighter than element ids, put into the order of these ({@link TextOrder}): an element id is
 * one prefix for a whole database, and then the internal id. What another transaction deletes meanwhile
 * has no relationships and no labels.
 */
@SuppressWarnings("removal")
public final class StoredDataGraph implements DataGraph {
    private static final int MOST_DIGITS = 15;
    private static final long MOST_ID = 999_999_999_999_999L;

    private final Transaction transaction;
    private final Visibility visibility;
    private final List<Label> labels;
    private final RelationshipType[] types;
    private final Map<String, Integer> typeIndex = new HashMap<>();
    private final LongBooleanHashMap visible = new LongBooleanHashMap();

    /** {@code labels}: those that the call asks for. */
    public StoredDataGraph(Transaction transaction, Visibility visibility, List<String> labels) {
        this.transaction = transaction;
        this.visibility = visibility;
        this.labels = labels.stream().map(Label::label).toList();
        this.types = visibility.types().stream().map(RelationshipType::withName).toArray(RelationshipType[]::new);
        for (RelationshipType type : types) {
            typeIndex.put(type.name(), typeIndex.size());
        }
    }

    /** The index of a type; -1: it is not there, or hidden. */
    public int indexOfType(String name) {
        return typeIndex.getOrDefault(name, -1);
    }

    /** The name of a type. */
    public String type(int index) {
        return types[index].name();
    }

    /** The number of the node of an element id; throws NotFoundException where there is none. */
    public long find(String elementId) {
        String id = elementId.substring(elementId.lastIndexOf(':') + 1);
        if (!isNumber(id)) { // Neo4j would look for it outside of its store
            throw new NotFoundException("no node has the id " + id);
        }
        Node node = transaction.getNodeByElementId(elementId);
        if (!elementId.endsWith(":" + node.getId())) {
            throw new IllegalStateException("the element id %s does not end in its node's id".formatted(elementId));
        }
        return TextOrder.of(node.getId());
    }

    private static boolean isNumber(String text) {
        boolean isNumber = !text.isEmpty() && text.length() <= MOST_DIGITS;
        for (int i = 0; i < text.length(); i++) {
            isNumber &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return isNumber;
    }

    /** The number of the node of an internal id; throws NotFoundException where there is none. */
    long find(long id) {
        if (id < 0 || id > MOST_ID) {
            throw new NotFoundException("no node has the id " + id);
        }
        return TextOrder.of(transaction.getNodeById(id).getId());
    }

    /** The element id of a node; throws NotFoundException where it is gone. */
    public String elementIdOfNode(long node) {
        return node(node).getElementId();
    }

    /** A relationship by its number; throws NotFoundException where it is gone. */
    public Relationship relationship(long relationship) {
        return transaction.getRelationshipById(TextOrder.number(relationship));
    }

    private Node node(long node) {
        return transaction.getNodeById(TextOrder.number(node));
    }

    @Override
    public int typeCount() {
        return types.length;
    }

    @Override
    public boolean isVisible(long node) {
        return !visibility.hidesNodes() || visible.getIfAbsentPut(node, () -> isShown(node));
    }

    private boolean isShown(long node) {
        try {
            return !visibility.isHidden(node(node));
        } catch (NotFoundException deletedMeanwhile) {
            return false;
        }
    }

    @Override
    public int degree(long node) {
        try {
            return node(node).getDegree();
        } catch (NotFoundException deletedMeanwhile) {
            return 0;
        }
    }

    @Override
    public boolean isDense(long node) {
        return degree(node) > RememberedGraph.FEW;
    }

    @Override
    public boolean hasLabel(long node, int label) {
        try {
            return node(node).hasLabel(labels.get(label));
        } catch (NotFoundException deletedMeanwhile) {
            return false;
        }
    }

    @Override
    public void expand(long node, int[] only, Visitor visitor) {
        try (ResourceIterable<Relationship> relationships = relationships(node(node), only)) {
            long id = TextOrder.number(node);
            for (Relationship relationship : relationships) {
                if (!show(relationship, id, visitor)) {
                    return;
                }
            }
        } catch (NotFoundException deletedMeanwhile) {
            return;
        }
    }

    private ResourceIterable<Relationship> relationships(Node node, int[] only) {
        if (only == null) {
            return node.getRelationships();
        }
        RelationshipType[] wanted = new RelationshipType[only.length];
        for (int i = 0; i < only.length; i++) {
            wanted[i] = types[only[i]];
        }
        return node.getRelationships(wanted);
    }

    private boolean show(Relationship relationship, long node, Visitor visitor) {
        Integer type = typeIndex.get(relationship.getType().name());
        if (type == null) {
            return true;
        }
        boolean leaves = relationship.getStartNodeId() == node;
        long other = leaves ? relationship.getEndNodeId() : relationship.getStartNodeId();
        return visitor.visit(leaves, type, TextOrder.of(other), TextOrder.of(relationship.getId()));
    }

    @Override
    public void forEachNode(LongPredicate visitor) {
        try (ResourceIterable<Node> nodes = transaction.getAllNodes()) {
            for (Node node : nodes) {
                if (!visitor.test(TextOrder.of(node.getId()))) {
                    return;
                }
            }
        }
    }

    @Override
    public void forEachNode(int label, LongPredicate visitor) {
        try (ResourceIterator<Node> nodes = transaction.findNodes(labels.get(label))) {
            while (nodes.hasNext() && visitor.test(TextOrder.of(nodes.next().getId()))) {
                continue;
            }
        }
    }

    @Override
    public void forEachEnd(int type, LongPredicate visitor) {
        try (ResourceIterator<Relationship> relationships = transaction.findRelationships(types[type])) {
            boolean wanted = true;
            while (wanted && relationships.hasNext()) {
                Relationship relationship = relationships.next();
                wanted = visitor.test(TextOrder.of(relationship.getStartNodeId()))
                        && visitor.test(TextOrder.of(relationship.getEndNodeId()));
            }
        }
    }
}
