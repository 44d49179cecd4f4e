package trellis.changes;

import java.util.List;
import java.util.Map;
import org.neo4j.procedure.Description;

/** The one row of {@code trellis.changes.since}. */
public record ChangeRow(
        @Description("The log that the position is of; it begins anew with the server. Empty: there is none.")
                String epoch,
        @Description("The log's position now, to be given the next time.") Long position,
        @Description("What was touched since: {all, ends, nodes, lostLabels}. `all`: any node may have been;"
                        + " `ends`: element ids of the nodes that gained or lost a relationship; `nodes`: of those that"
                        + " came or went, or whose labels or name changed; `lostLabels`: labels that nodes lost.")
                Map<String, Object> touched,
        @Description("The same of the transactions that are being committed now.") Map<String, Object> pending) {

    /** What a server says that keeps no log. */
    static final ChangeRow NONE = of("", new Changes(0, Touch.ofAny(), Touch.ofAny()));

    static ChangeRow of(String epoch, Changes changes) {
        return new ChangeRow(epoch, changes.position(), shown(changes.touched()), shown(changes.pending()));
    }

    private static Map<String, Object> shown(Touch touch) {
        return Map.of(
                "all", touch.all(),
                "ends", List.copyOf(touch.ends()),
                "nodes", List.copyOf(touch.nodes()),
                "lostLabels", List.copyOf(touch.lostLabels()));
    }
}
