package trellis.changes;

import java.util.HashSet;
import java.util.Set;

/**
 * What one transaction touched, by element id.
 *
 * @param ends nodes that gained or lost a relationship
 * @param nodes nodes that came or went, or whose labels or name changed
 * @param lostLabels labels that nodes lost: whoever hides nodes with such a label sees more of them now
 * @param all whether it touched too many nodes to list them: then it may have touched any
 */
record Touch(Set<String> ends, Set<String> nodes, Set<String> lostLabels, boolean all) {
    /** A touch of any node; a new one, because transactions are told apart by theirs. */
    static Touch ofAny() {
        return new Touch(Set.of(), Set.of(), Set.of(), true);
    }

    static Touch union(Iterable<Touch> touches) {
        Set<String> ends = new HashSet<>();
        Set<String> nodes = new HashSet<>();
        Set<String> lostLabels = new HashSet<>();
        boolean all = false;
        for (Touch touch : touches) {
            ends.addAll(touch.ends);
            nodes.addAll(touch.nodes);
            lostLabels.addAll(touch.lostLabels);
            all |= touch.all;
        }
        return new Touch(ends, nodes, lostLabels, all);
    }

    /** How many texts it holds, and one for itself. */
    int size() {
        return 1 + ends.size() + nodes.size() + lostLabels.size();
    }
}
