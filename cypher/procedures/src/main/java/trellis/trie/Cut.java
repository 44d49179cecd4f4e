package trellis.trie;

/** Where the budget cut: of {@code total} relationships of one node, type and direction, {@code kept} are there. */
public record Cut(int node, String relationType, int direction, int kept, int total) {
    int lost() {
        return total - kept;
    }
}
