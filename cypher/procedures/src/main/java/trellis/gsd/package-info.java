/**
 * The subgraphs nearest to a pattern by graph semantic distance, exactly.
 *
 * <p>A search looks at what lies within some distance above the least possible one, and widens it
 * until it has enough. Inside it, messages run along a spanning tree of the pattern from its known
 * nodes to the root ({@link trellis.gsd.Messages}); they bound from below what completes a partial
 * match, so that a best-first search ({@link trellis.gsd.MatchSearch}) gives matches in their final
 * order. All of this works on primitive arrays behind {@link trellis.gsd.DataGraph} and knows nothing
 * of Neo4j; {@link trellis.gsd.StoredDataGraph} reads Neo4j for it, and {@link trellis.gsd.GsdProc}
 * publishes it.
 *
 * <p>Distances are added as whole numbers of ticks ({@link trellis.gsd.Ticks}), so that equal sums are
 * equal in whatever order they are added.
 */
package trellis.gsd;
