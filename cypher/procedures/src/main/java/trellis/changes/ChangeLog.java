package trellis.changes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What the last transactions touched, bounded by the number of texts.
 *
 * <p>A transaction is pending from before its commit until after it, so that its nodes are told
 * before anybody can see what it changed. The log checks that it was told of all transactions: their
 * ids have no gaps. Where one was committed behind its back (by another server of a cluster, or by
 * Neo4j itself), all that was read before counts as touched.
 */
final class ChangeLog {
    /** Identifies this log: positions of another one mean nothing here. */
    final String epoch = UUID.randomUUID().toString();

    private record Entry(long position, Touch touch) {}

    private final int capacity;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final Set<Touch> pending = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Long> ahead = new HashSet<>();
    private long gapFree;
    private long position;
    private long forgotten;
    private int held;

    /** A log of at most {@code capacity} texts, told of all transactions after {@code lastClosed}. */
    ChangeLog(int capacity, long lastClosed) {
        this.capacity = capacity;
        this.gapFree = lastClosed;
    }

    synchronized void begin(Touch touch) {
        pending.add(touch);
    }

    synchronized void commit(Touch touch, long transaction) {
        pending.remove(touch);
        append(touch);
        if (transaction > gapFree) {
            ahead.add(transaction);
            closeGap();
        }
    }

    synchronized void rollback(Touch touch) {
        pending.remove(touch);
    }

    /**
     * What was touched after {@code since}.
     *
     * @param committed the newest transaction of the database
     * @param closed the newest one up to which all are visible
     */
    synchronized Changes since(long since, long committed, long closed) {
        long unknown = committed - gapFree - ahead.size();
        if (unknown > pending.size()) {
            forget(closed);
        }
        boolean remembered = since >= forgotten && since <= position;
        Touch uncertain = unknown > 0 ? Touch.ofAny() : Touch.union(pending); // whose ids are they?
        return new Changes(position, remembered ? touchedAfter(since) : Touch.ofAny(), uncertain);
    }

    private Touch touchedAfter(long since) {
        List<Touch> touches = new ArrayList<>();
        Iterator<Entry> newest = entries.descendingIterator();
        while (newest.hasNext()) {
            Entry entry = newest.next();
            if (entry.position <= since) {
                break;
            }
            touches.add(entry.touch);
        }
        return Touch.union(touches);
    }

    private void append(Touch touch) {
        entries.add(new Entry(++position, touch));
        held += touch.size();
        while (held > capacity) {
            Entry oldest = entries.remove();
            held -= oldest.touch.size();
            forgotten = oldest.position;
        }
    }

    private void forget(long closed) {
        entries.clear();
        held = 0;
        forgotten = ++position;
        gapFree = Math.max(gapFree, closed);
        ahead.removeIf(transaction -> transaction <= gapFree);
        closeGap();
    }

    private void closeGap() {
        while (ahead.remove(gapFree + 1)) {
            gapFree++;
        }
    }
}
