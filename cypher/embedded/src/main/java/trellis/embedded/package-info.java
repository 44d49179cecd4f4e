/**
 * A launcher: one real Neo4j in one JVM with the Trellis procedures, for demos, tests and small
 * graphs. It listens on loopback only, reads no files for LOAD CSV, and runs no procedures but those
 * of its allow list.
 */
package trellis.embedded;
