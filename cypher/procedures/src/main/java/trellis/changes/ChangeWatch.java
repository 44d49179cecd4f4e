package trellis.changes;

import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.event.TransactionData;
import org.neo4j.graphdb.event.TransactionEventListener;
import org.neo4j.io.pagecache.context.TransactionIdSnapshot;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.kernel.lifecycle.LifecycleAdapter;
import org.neo4j.storageengine.api.TransactionIdStore;

/**
 * Listens to the commits of one database, from the first time that it is asked for changes: nobody
 * who writes to a database without questions pays for it.
 */
final class ChangeWatch extends LifecycleAdapter implements TransactionEventListener<Touch> {
    private static final int MOST_TEXTS = 100_000;
    private static final int MOST_NODES_OF_ONE = 10_000;
    private static final Map<String, ChangeWatch> WATCHES = new ConcurrentHashMap<>();

    private final GraphDatabaseAPI database;
    private final ChangeExtension.Dependencies parts;
    private ChangeLog log;

    ChangeWatch(GraphDatabaseAPI database, ChangeExtension.Dependencies parts) {
        this.database = database;
        this.parts = parts;
    }

    /** The watch of a running database; none where Neo4j has not loaded the extension. */
    static Optional<ChangeWatch> of(GraphDatabaseService database) {
        return database instanceof GraphDatabaseAPI api
                ? Optional.ofNullable(WATCHES.get(key(api)))
                : Optional.empty();
    }

    private static String key(GraphDatabaseAPI database) {
        return database.databaseId().databaseId().uuid().toString();
    }

    @Override
    public void start() {
        WATCHES.put(key(database), this);
    }

    @Override
    public synchronized void stop() {
        WATCHES.remove(key(database), this);
        if (log != null) {
            parts.service().unregisterTransactionEventListener(database.databaseName(), this);
        }
    }

    /** What was touched after {@code since}, a position of the log {@code epoch}. */
    ChangeRow readChanges(String epoch, long since) {
        ChangeLog current = log();
        TransactionIdStore ids = parts.transactionIds();
        long closed = gapFree(ids.getClosedTransactionSnapshot());
        long from = current.epoch.equals(epoch) ? since : -1;
        return ChangeRow.of(current.epoch, current.since(from, ids.getLastCommittedTransactionId(), closed));
    }

    private synchronized ChangeLog log() {
        if (log == null) {
            parts.service().registerTransactionEventListener(database.databaseName(), this);
            log = new ChangeLog(MOST_TEXTS, gapFree(parts.transactionIds().getClosedTransactionSnapshot()));
        }
        return log;
    }

    /** The record's first component, whose name differs between the lines of Neo4j. */
    private static long gapFree(TransactionIdSnapshot snapshot) {
        RecordComponent first = TransactionIdSnapshot.class.getRecordComponents()[0];
        try {
            return (long) first.getAccessor().invoke(snapshot);
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException("this Neo4j does not tell its last transaction", changed);
        }
    }

    @Override
    public Touch beforeCommit(TransactionData data, Transaction transaction, GraphDatabaseService service) {
        Touch touch = read(data);
        log().begin(touch);
        return touch;
    }

    /** Never fails, because that would end somebody else's transaction. */
    private static Touch read(TransactionData data) {
        try {
            return TouchReader.read(data, MOST_NODES_OF_ONE);
        } catch (RuntimeException unreadable) {
            return Touch.ofAny();
        }
    }

    @Override
    public void afterCommit(TransactionData data, Touch touch, GraphDatabaseService service) {
        log().commit(touch, data.getTransactionId());
    }

    @Override
    public void afterRollback(TransactionData data, Touch touch, GraphDatabaseService service) {
        log().rollback(touch);
    }
}
