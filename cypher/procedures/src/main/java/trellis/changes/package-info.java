/**
 * Which nodes the last transactions touched, so that what was read around other nodes can be kept.
 *
 * <p>{@link trellis.changes.ChangeLog} knows nothing of Neo4j. {@link trellis.changes.ChangeWatch}
 * feeds it from the moment it is first asked, {@link trellis.changes.ChangeExtension} makes one for
 * each database, and {@link trellis.changes.ChangeProc} publishes it. Nothing is written.
 */
package trellis.changes;
