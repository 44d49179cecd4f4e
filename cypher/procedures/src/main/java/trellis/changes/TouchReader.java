package trellis.changes;

import java.util.HashSet;
import java.util.Set;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.event.LabelEntry;
import org.neo4j.graphdb.event.PropertyEntry;
import org.neo4j.graphdb.event.TransactionData;
import trellis.trie.TrieConfig;

/** Reads what a transaction touches; it gives up where that is more than {@code most} nodes. */
final class TouchReader {
    private final int most;
    private final Set<String> ends = new HashSet<>();
    private final Set<String> nodes = new HashSet<>();
    private final Set<String> lostLabels = new HashSet<>();

    private TouchReader(int most) {
        this.most = most;
    }

    static Touch read(TransactionData data, int most) {
        TouchReader reader = new TouchReader(most);
        boolean whole = reader.readNodes(data) && reader.readEnds(data) && reader.readNames(data);
        return whole ? new Touch(reader.ends, reader.nodes, reader.lostLabels, false) : Touch.ofAny();
    }

    private boolean readNodes(TransactionData data) {
        return addNodes(data.createdNodes())
                && addNodes(data.deletedNodes())
                && addLabelled(data.assignedLabels())
                && addLabelled(data.removedLabels())
                && addLostLabels(data);
    }

    private boolean readEnds(TransactionData data) {
        return addEnds(data.createdRelationships()) && addEnds(data.deletedRelationships());
    }

    private boolean readNames(TransactionData data) {
        return addNamed(data.assignedNodeProperties()) && addNamed(data.removedNodeProperties());
    }

    private boolean addNodes(Iterable<Node> touched) {
        for (Node node : touched) {
            nodes.add(node.getElementId());
            if (isFull()) {
                return false;
            }
        }
        return true;
    }

    private boolean addLabelled(Iterable<LabelEntry> touched) {
        for (LabelEntry entry : touched) {
            nodes.add(entry.node().getElementId());
            if (isFull()) {
                return false;
            }
        }
        return true;
    }

    private boolean addLostLabels(TransactionData data) {
        for (LabelEntry entry : data.removedLabels()) {
            if (!data.isDeleted(entry.node())) {
                lostLabels.add(entry.label().name());
            }
        }
        return true;
    }

    private boolean addNamed(Iterable<PropertyEntry<Node>> touched) {
        for (PropertyEntry<Node> entry : touched) {
            if (TrieConfig.NAME_PROPERTIES.contains(entry.key())) {
                nodes.add(entry.entity().getElementId());
            }
            if (isFull()) {
                return false;
            }
        }
        return true;
    }

    private boolean addEnds(Iterable<Relationship> touched) {
        for (Relationship relationship : touched) {
            ends.add(relationship.getStartNode().getElementId());
            ends.add(relationship.getEndNode().getElementId());
            if (isFull()) {
                return false;
            }
        }
        return true;
    }

    private boolean isFull() {
        return ends.size() + nodes.size() > most;
    }
}
