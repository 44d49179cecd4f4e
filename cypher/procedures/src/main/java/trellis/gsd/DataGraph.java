package trellis.gsd;

import java.util.function.LongPredicate;

/**
 * What a search needs to know of the graph that it searches.
 *
 * <p>Nodes and relationships are numbers from 0 up that are ordered as their element ids are as texts.
 * What is hidden is not there, except that {@link #expand} may show relationships to hidden nodes.
 */
public interface DataGraph {
    /** How many relationship types there are; each is an index below this. */
    int typeCount();

    /** Whether a node is there and not hidden. */
    boolean isVisible(long node);

    /** How many relationships a node has, about. */
    int degree(long node);

    /** Whether a node has so many relationships that it is better to read them type by type. */
    boolean isDense(long node);

    /** Whether a node has one of the labels of the call. */
    boolean hasLabel(long node, int label);

    /**
     * Shows the relationships at a node, each once, a loop too, until the visitor has seen enough.
     *
     * @param types only relationships of these types; null: of all
     */
    void expand(long node, int[] types, Visitor visitor);

    /** Shows all nodes, until the visitor says false. */
    void forEachNode(LongPredicate visitor);

    /** Shows the nodes of a label of the call, until the visitor says false. */
    void forEachNode(int label, LongPredicate visitor);

    /** Shows the ends of the relationships of a type, until the visitor says false. */
    void forEachEnd(int type, LongPredicate visitor);

    /** Sees the relationships at one node. */
    @FunctionalInterface
    interface Visitor {
        /** Takes one relationship; {@code leaves}: it starts at the node. False: no more are wanted. */
        boolean visit(boolean leaves, int type, long neighbour, long relationship);
    }
}
