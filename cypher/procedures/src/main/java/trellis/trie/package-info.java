/**
 * The KG-Trie's neighbourhood and its paths.
 *
 * <p>The algorithms ({@link trellis.trie.NeighbourhoodSearch}, {@link trellis.trie.PathSearch})
 * work on primitive arrays behind {@link trellis.trie.Adjacency} and know nothing of Neo4j; {@link
 * trellis.trie.StoredGraph} reads Neo4j for them and {@link trellis.trie.TrieProc} publishes them.
 */
package trellis.trie;
