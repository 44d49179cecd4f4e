package trellis.trie;

import org.neo4j.graphdb.Node;

/** Element ids and names of a neighbourhood's nodes, each read once and only when it is asked for. */
final class NodeTexts {
    private final StoredGraph graph;
    private final long[] nodes;
    private final Naming naming;
    private final String[] ids;
    private final String[] names;

    NodeTexts(StoredGraph graph, long[] nodes, Naming naming) {
        this.graph = graph;
        this.nodes = nodes;
        this.naming = naming;
        this.ids = new String[nodes.length];
        this.names = new String[nodes.length];
    }

    String id(int node) {
        if (ids[node] == null) {
            ids[node] = stored(node).getElementId();
        }
        return ids[node];
    }

    String name(int node) {
        if (names[node] == null) {
            names[node] = naming.of(stored(node));
        }
        return names[node];
    }

    private Node stored(int node) {
        return graph.node(nodes[node]);
    }
}
