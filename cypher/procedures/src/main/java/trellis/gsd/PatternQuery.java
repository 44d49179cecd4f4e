package trellis.gsd;

import java.util.ArrayList;
import java.util.List;

/** A pattern, what fits its nodes and edges, and how its edges are grouped. */
final class PatternQuery {
    private final Pattern pattern;
    private final NodeFit[] nodes;
    private final EdgeFit[] edges;
    private final List<EdgeGroup> groups;
    private final EdgeGroup[][] between;

    PatternQuery(Pattern pattern, NodeFit[] nodes, EdgeFit[] edges, boolean directed) {
        this.pattern = pattern;
        this.nodes = nodes;
        this.edges = edges;
        this.groups = EdgeGroup.of(pattern, edges, directed);
        this.between = new EdgeGroup[pattern.nodes()][pattern.nodes()];
        for (EdgeGroup group : groups) {
            between[group.first()][group.second()] = group;
            between[group.second()][group.first()] = group;
        }
    }

    int size() {
        return pattern.nodes();
    }

    int edges() {
        return pattern.edges();
    }

    NodeFit node(int node) {
        return nodes[node];
    }

    EdgeFit edge(int edge) {
        return edges[edge];
    }

    List<EdgeGroup> groups() {
        return groups;
    }

    /** The edges between two nodes, or of a node to itself; null: there are none. */
    EdgeGroup between(int node, int other) {
        return between[node][other];
    }

    /** The other nodes that edges join with a node, in order. */
    int[] neighbours(int node) {
        List<Integer> neighbours = new ArrayList<>();
        for (int other = 0; other < size(); other++) {
            if (other != node && between[node][other] != null) {
                neighbours.add(other);
            }
        }
        return neighbours.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Whether nothing at all fits some node or edge. */
    boolean isHopeless() {
        for (NodeFit node : nodes) {
            if (node.isEmpty()) {
                return true;
            }
        }
        for (EdgeFit edge : edges) {
            if (edge.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** What every match costs at least: the nearest of each node and edge. */
    long least() {
        long least = 0;
        for (NodeFit node : nodes) {
            least += node.least();
        }
        for (EdgeFit edge : edges) {
            least += edge.least();
        }
        return least;
    }
}
