package trellis.trace;

import trellis.trie.Revisit;

/**
 * How a search traces.
 *
 * @param isBreadth all relationships above {@code threshold} are taken, not the best alone
 * @param bias added to the score of a relationship between two guided nodes
 * @param turned taken off the score of a relationship that leads against its edge
 * @param hasShapes of each sequence of types and directions only its first trace is wanted
 * @param limit the most traces
 */
record TraceRules(
        boolean isBreadth,
        double threshold,
        double bias,
        double turned,
        Revisit revisit,
        boolean hasShapes,
        int limit) {

    /** Whether two nodes of the schema graph have to be mapped to different nodes. */
    boolean keepsApart(boolean isListed, boolean isOtherListed) {
        return revisit == Revisit.SIMPLE
                || isListed && isOtherListed
                || revisit == Revisit.NOT_TOPIC && (isListed || isOtherListed);
    }
}
