package trellis.changes;

import java.util.stream.Stream;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

/** The procedures of the namespace trellis.changes. */
public final class ChangeProc {
    @Context public GraphDatabaseService database;

    @Procedure(name = "trellis.changes.since", mode = Mode.READ)
    @Description("Which nodes were touched since a position of the log of changes, which begins with the first call.")
    public Stream<ChangeRow> since(
            @Name(value = "epoch", description = "The log that the position is of, as an earlier call gave it; else ''.")
                    String epoch,
            @Name(value = "position", description = "The position that an earlier call gave; else 0.") Long position) {
        long since = position == null ? 0 : position;
        return Stream.of(ChangeWatch.of(database).map(watch -> watch.readChanges(epoch, since)).orElse(ChangeRow.NONE));
    }
}
