/**
 * The subgraphs nearest to a pattern by graph semantic distance, exactly.
 *
 * <p>{@link trellis.gsd.GsdSearch} chooses how. Where little is listed, messages run along a spanning tree
 * of the pattern from its listed nodes to the root ({@link trellis.gsd.Messages}), within a horizon that is
 * widened until it holds enough; where much is, the search starts from all listed nodes at once ({@link
 * trellis.gsd.Start}). Both bound from below what completes a partial match, so that a best-first search
 * ({@link trellis.gsd.MatchSearch}) gives matches in their final order. All of this works on primitive
 * arrays behind {@link trellis.gsd.DataGraph} and knows nothing of Neo4j; {@link
 * trellis.gsd.StoredDataGraph} reads Neo4j for it, and {@link trellis.gsd.GsdProc} publishes it.
 *
 * <p>Distances are added as whole numbers of ticks ({@link trellis.gsd.Ticks}), so that equal sums are
 * equal in whatever order they are added.
 */
package trellis.gsd;
