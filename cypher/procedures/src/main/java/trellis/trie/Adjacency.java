package trellis.trie;

/** What a search needs to know of a graph: the relationships at a node. */
public interface Adjacency {
    /** Direction of an entry whose relationship leaves the row's node. */
    int OUT = 0;

    /** Direction of an entry whose relationship arrives at the row's node. */
    int IN = 1;

    /** The names of all relationship types that can occur, sorted; a type is its index here. */
    String[] relationTypes();

    /**
     * Shows every relationship at {@code node} to {@code visitor}, in any order, until it has seen
     * enough. Parallel relationships are shown one by one, a self-loop once as OUT and once as IN.
     */
    void expand(long node, Visitor visitor);

    /** Sees the relationships at one node. */
    @FunctionalInterface
    interface Visitor {
        /** Takes one relationship; false says that no more are wanted. */
        boolean visit(int direction, int type, long neighbour);
    }
}
