/**
 * Structure-tracing retrieval: traces of a small schema graph through the stored graph, from the best
 * anchors on (STEM, section 3.4 and appendix H).
 *
 * <p>{@link trellis.trace.TraceSearch} is the algorithm: depth-first along the schema graph's edges ({@link
 * trellis.trace.TracePlan}), the best relationship first, with a way back from dead ends. A node of the
 * schema graph stays mapped to one node within a trace. It works on {@link trellis.gsd.DataGraph} and knows
 * nothing of Neo4j; {@link trellis.trace.TraceCall} reads a call for it, and {@link trellis.trace.TraceProc}
 * publishes it.
 */
package trellis.trace;
