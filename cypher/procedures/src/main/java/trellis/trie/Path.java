package trellis.trie;

/**
 * A walk through a neighbourhood.
 *
 * @param nodes [length + 1] node indices, the anchor first
 * @param entries [length] the adjacency entries walked
 */
public record Path(int[] nodes, int[] entries) {
    /** How many relationships it walks. */
    public int length() {
        return entries.length;
    }
}
