package trellis.changes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log against a plain list of everything that ever happened. */
class ChangeLogTest {
    @Test
    void whatIsCommittedIsToldToWhoAskedBefore() {
        ChangeLog log = new ChangeLog(10, 5);
        Touch touch = touch("a");
        log.begin(touch);
        Changes during = log.since(0, 5, 5);
        assertEquals(Set.of("a"), during.pending().ends());
        log.commit(touch, 6);
        Changes after = log.since(during.position(), 6, 6);
        assertEquals(Set.of("a"), after.touched().ends());
        assertEquals(Set.of(), after.pending().ends());
        assertEquals(Set.of(), log.since(after.position(), 6, 6).touched().ends());
    }

    @Test
    void whatIsRolledBackTouchedNothing() {
        ChangeLog log = new ChangeLog(10, 5);
        Touch touch = touch("a");
        log.begin(touch);
        log.rollback(touch);
        Changes changes = log.since(0, 5, 5);
        assertEquals(Touch.union(List.of()), changes.touched());
        assertEquals(Touch.union(List.of()), changes.pending());
    }

    @Test
    void aCommitThatTheLogWasNotToldOfMayHaveTouchedAnything() {
        ChangeLog log = new ChangeLog(10, 5);
        long before = log.since(0, 5, 5).position();
        Changes after = log.since(before, 6, 6);
        assertTrue(after.touched().all());
        assertFalse(log.since(after.position(), 6, 6).touched().all());
    }

    @Test
    void aCommitThatCannotBeSeenYetIsWaitedFor() {
        ChangeLog log = new ChangeLog(10, 5);
        long first = log.since(0, 6, 5).position();
        Changes second = log.since(first, 6, 5);
        assertTrue(second.touched().all(), "6 may have become visible only now");
        Changes third = log.since(second.position(), 6, 6);
        assertTrue(third.touched().all());
        assertFalse(log.since(third.position(), 6, 6).touched().all());
    }

    @Test
    void whatIsForgottenMayHaveBeenAnything() {
        ChangeLog log = new ChangeLog(10, 0);
        for (int id = 1; id <= 20; id++) {
            Touch touch = touch("node " + id);
            log.begin(touch);
            log.commit(touch, id);
        }
        assertTrue(log.since(0, 20, 20).touched().all());
        assertEquals(Set.of("node 19", "node 20"), log.since(18, 20, 20).touched().ends());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverHappensNothingIsLeftOut(int seed) {
        RandomCommits commits = new RandomCommits(seed);
        for (int step = 0; step < 3_000; step++) {
            commits.happen();
            commits.check();
        }
        assertTrue(commits.exact > 100, "something was told");
    }

    /** Transactions that begin, get an id, are told to the log or not, and what they touched. */
    private static final class RandomCommits {
        private final Random random;
        private final ChangeLog log = new ChangeLog(60, 0);
        private final List<Touch> begun = new ArrayList<>();
        private final Map<Touch, Long> committing = new IdentityHashMap<>();
        private final Map<Long, Set<String>> touchedSince = new HashMap<>();
        private final Set<Long> behindTheBack = new HashSet<>();
        private long last;
        private int exact;

        RandomCommits(int seed) {
            random = new Random(seed);
        }

        void happen() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> begin();
                case 3, 4 -> take(begun).ifPresent(touch -> committing.put(touch, ++last));
                case 5, 6, 7 -> take(List.copyOf(committing.keySet())).ifPresent(this::commit);
                case 8 -> take(begun).ifPresent(log::rollback);
                case 9 -> commitBehindTheBack();
                default -> remember();
            }
        }

        private void begin() {
            begun.add(touch("node " + random.nextInt(40)));
            log.begin(begun.get(begun.size() - 1));
        }

        private <T> Optional<T> take(List<T> from) {
            if (from.isEmpty()) {
                return Optional.empty();
            }
            T one = from.get(random.nextInt(from.size()));
            begun.removeIf(touch -> touch == one);
            return Optional.of(one);
        }

        private void commit(Touch touch) {
            log.commit(touch, committing.remove(touch));
            touchedSince.values().forEach(since -> since.addAll(touch.ends()));
        }

        private void commitBehindTheBack() {
            if (random.nextInt(10) == 0) {
                last++;
                behindTheBack.addAll(touchedSince.keySet());
            }
        }

        private void remember() {
            touchedSince.put(ask(0).position(), new HashSet<>());
        }

        private Changes ask(long since) {
            long closed = committing.values().stream().mapToLong(id -> id - 1).min().orElse(last);
            return log.since(since, last, closed);
        }

        void check() {
            touchedSince.forEach((since, touched) -> {
                Changes changes = ask(since);
                if (!changes.touched().all() && !changes.pending().all()) {
                    exact++;
                    assertFalse(behindTheBack.contains(since));
                    assertEquals(touched, changes.touched().ends());
                    assertEquals(Touch.union(begun).ends(), changes.pending().ends());
                }
            });
        }
    }

    private static Touch touch(String node) {
        return new Touch(Set.of(node), Set.of(), Set.of(), false);
    }
}
