/**
 * Which relation-type paths exist from some anchors.
 *
 * <p>{@link trellis.schema.ReachableSearch} works on the arrays of a {@link
 * trellis.trie.Neighbourhood} and knows nothing of Neo4j; {@link trellis.schema.SchemaProc}
 * publishes it.
 */
package trellis.schema;
