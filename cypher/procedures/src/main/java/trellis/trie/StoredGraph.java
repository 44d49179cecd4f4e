package trellis.trie;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongBooleanHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;

/**
 * A Neo4j graph as one transaction sees it, less what is hidden: reserved relationship types and
 * metadata nodes, and what the caller excludes.
 *
 * <p>It speaks of nodes by internal id, which Neo4j deprecates for applications (ids are reused after
 * deletion) but which are safe inside one transaction and far lighter than element ids. A node that
 * another transaction deletes meanwhile keeps its id, and has no relationships and no name.
 */
@SuppressWarnings("removal")
public final class StoredGraph implements Adjacency {
    private final Transaction transaction;
    private final TerminationGuard guard;
    private final String[] relationTypes;
    private final Map<String, Integer> typeIndex = new HashMap<>();
    private final RelationshipType[] onlyTypes;
    private final Visibility visibility;
    private final LongObjectHashMap<Node> seen = new LongObjectHashMap<>();
    private final LongBooleanHashMap hidden = new LongBooleanHashMap();

    /** The graph of a transaction, less what {@code config} excludes. */
    public StoredGraph(Transaction transaction, TerminationGuard guard, TrieConfig config) {
        this.transaction = transaction;
        this.guard = guard;
        this.visibility = new Visibility(transaction, config.excludeTypes(), config.excludeLabels());
        this.relationTypes =
                visibility.types().stream()
                        .filter(name -> config.relationTypes().isEmpty() || config.relationTypes().contains(name))
                        .toArray(String[]::new);
        for (String type : relationTypes) {
            typeIndex.put(type, typeIndex.size());
        }
        this.onlyTypes =
                config.relationTypes().isEmpty()
                        ? null
                        : typeIndex.keySet().stream()
                                .map(RelationshipType::withName)
                                .toArray(RelationshipType[]::new);
    }

    /** The nodes of these element ids, each once, in order; ids without a visible node go to {@code missing}. */
    public long[] find(List<String> elementIds, List<String> missing) {
        LongArrayList found = new LongArrayList();
        for (String elementId : new LinkedHashSet<>(elementIds)) {
            try {
                Node node = transaction.getNodeByElementId(elementId);
                if (visibility.isHidden(node)) {
                    missing.add(elementId);
                } else {
                    seen.put(node.getId(), node);
                    found.add(node.getId());
                }
            } catch (NotFoundException | IllegalArgumentException absent) {
                missing.add(elementId);
            }
        }
        return found.distinct().toArray();
    }

    /** A node that was found or shown before. */
    public Node node(long id) {
        return seen.get(id);
    }

    @Override
    public String[] relationTypes() {
        return relationTypes;
    }

    @Override
    public void expand(long node, Visitor visitor) {
        guard.check();
        if (relationTypes.length == 0) {
            return;
        }
        try (ResourceIterable<Relationship> relationships = relationships(node(node))) {
            for (Relationship relationship : relationships) {
                if (!show(relationship, node, visitor)) {
                    return;
                }
            }
        } catch (NotFoundException deletedMeanwhile) {
            return;
        }
    }

    private ResourceIterable<Relationship> relationships(Node node) {
        return onlyTypes == null ? node.getRelationships() : node.getRelationships(onlyTypes);
    }

    private boolean show(Relationship relationship, long node, Visitor visitor) {
        Integer type = typeIndex.get(relationship.getType().name());
        if (type == null) {
            return true;
        }
        long start = relationship.getStartNodeId();
        long end = relationship.getEndNodeId();
        Node other = seen.getIfAbsentPut(start == node ? end : start, () -> other(relationship, start == node));
        if (visibility.hidesNodes() && isHidden(other)) {
            return true;
        }
        return (start != node || visitor.visit(OUT, type, end))
                && (end != node || visitor.visit(IN, type, start));
    }

    private boolean isHidden(Node node) {
        return visibility.isListed()
                ? visibility.isHidden(node)
                : hidden.getIfAbsentPut(node.getId(), () -> visibility.isHidden(node));
    }

    private static Node other(Relationship relationship, boolean outgoing) {
        return outgoing ? relationship.getEndNode() : relationship.getStartNode();
    }
}
