package trellis.trie;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.neo4j.procedure.Description;

/** The one row of {@code trellis.trie.neighbourhood}. Numbers are packed as bytes: 4 each, little-endian. */
public record NeighbourhoodRow(
        @Description("Element ids: the anchors, then level by level, by internal id inside a level.")
                List<String> nodes,
        @Description("Distance of each node from the nearest anchor; int32 little-endian.")
                byte[] levels,
        @Description("Naming text of each node, empty where it has none; an empty list if config.names is false.")
                List<String> names,
        @Description("The relationship types that occur, sorted.")
                List<String> relationTypes,
        @Description("Where each node's row of entries starts, and the end; int32 little-endian.")
                byte[] offsets,
        @Description("The other node of each entry, an index into nodes; int32 little-endian.")
                byte[] targets,
        @Description("The type of each entry, an index into relationTypes; int32 little-endian.")
                byte[] types,
        @Description("One byte an entry: 0, the relationship leaves the row's node; 1, it arrives there.")
                byte[] directions,
        @Description("Indices of the anchors in nodes.")
                List<Long> anchors,
        @Description("Anchor ids that are not in the graph.")
                List<String> missing,
        @Description("How many entries there are.")
                Long edges,
        @Description("Whether the edge budget left anything out.")
                Boolean cut,
        @Description("What was left out, largest first, at most 100: {node, relationType, direction, kept, total}.")
                List<Map<String, Object>> cuts,
        @Description("How many nodes have a row that is not whole.")
                Long cutCount) {

    static byte[] packed(int[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }
}
