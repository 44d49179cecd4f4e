package trellis.trie;

import java.util.List;

/**
 * The neighbourhood of some anchors as adjacency arrays: n nodes, m entries.
 *
 * <p>Row i is the entries {@code offsets[i] .. offsets[i + 1]}, sorted by (direction, type, target).
 * Rows of nodes at the last level, and of nodes that the budget did not reach, are empty.
 *
 * @param nodes [n] node ids: anchors, then level by level, by id inside a level
 * @param levels [n] distance from the nearest anchor
 * @param anchors how many of the first nodes are anchors
 * @param relationTypes the types that occur, sorted
 * @param offsets [n + 1] where rows start
 * @param targets [m] index of the other node
 * @param types [m] index into relationTypes
 * @param directions [m] {@link Adjacency#OUT} or {@link Adjacency#IN}
 * @param cuts the cuts that lost most
 * @param cutNodes how many nodes have a row that is not whole
 */
public record Neighbourhood(
        long[] nodes,
        int[] levels,
        int anchors,
        String[] relationTypes,
        int[] offsets,
        int[] targets,
        int[] types,
        byte[] directions,
        List<Cut> cuts,
        int cutNodes) {}
