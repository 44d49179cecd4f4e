package trellis.changes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import trellis.trie.TemporaryNeo4j;

/** The procedure in a real Neo4j. */
class ChangeProcTest {
    private static TemporaryNeo4j neo4j;

    private String epoch = "";
    private long position;

    @BeforeAll
    static void start(@TempDir Path home) throws Exception {
        neo4j = new TemporaryNeo4j(home);
        neo4j.rows("CREATE (n:Dot:Other {name: 'x', size: 1, title: 'y'})-[:NEAR]->(:Dot) DETACH DELETE n", Map.of());
    }

    @AfterAll
    static void stop() {
        neo4j.close();
    }

    @BeforeEach
    void begin() {
        neo4j.rows("MATCH (n) DETACH DELETE n", Map.of());
        neo4j.rows("UNWIND ['a', 'b', 'c'] AS name CREATE (:Dot {name: name})", Map.of());
        neo4j.rows("MATCH (a {name: 'a'}), (b {name: 'b'}) CREATE (a)-[:NEAR]->(b)", Map.of());
        touched();
    }

    @Test
    void aRelationshipTouchesItsEnds() {
        Collection<?> ends = ids("a", "b");
        neo4j.rows("MATCH (:Dot {name: 'a'})-[r]->() DELETE r", Map.of());
        assertTouched(ends, Set.of());
        neo4j.rows("MATCH (b {name: 'b'}), (c {name: 'c'}) CREATE (b)-[:NEAR]->(c)", Map.of());
        assertTouched(ids("b", "c"), Set.of());
    }

    @Test
    void aNodeThatComesGoesOrChangesItsLabelOrNameIsTouched() {
        neo4j.rows("CREATE (:Dot {name: 'd'})", Map.of());
        assertTouched(Set.of(), ids("d"));
        neo4j.rows("MATCH (n {name: 'c'}) SET n.title = 'y'", Map.of());
        assertTouched(Set.of(), ids("c"));
        neo4j.rows("MATCH (n {name: 'c'}) SET n:Other REMOVE n:Dot", Map.of());
        Map<String, Object> labelled = touched();
        assertEquals(ids("c"), sorted(labelled.get("nodes")));
        assertEquals(List.of("Dot"), labelled.get("lostLabels"));
        Collection<?> gone = ids("a");
        Collection<?> ends = ids("a", "b");
        neo4j.rows("MATCH (n {name: 'a'}) DETACH DELETE n", Map.of());
        assertTouched(ends, gone);
    }

    @Test
    void whatANeighbourhoodDoesNotShowTouchesNothing() {
        neo4j.rows("MATCH (n {name: 'a'})-[r]->() SET n.size = 2, r.size = 2", Map.of());
        neo4j.rows("MATCH (n {name: 'nobody'}) SET n.name = 'x'", Map.of());
        assertTouched(Set.of(), Set.of());
    }

    @Test
    void aTransactionOfManyNodesMayHaveTouchedAny() {
        neo4j.rows("UNWIND range(1, 20000) AS i CREATE (:Dot)", Map.of());
        assertTrue((boolean) touched().get("all"));
        assertFalse((boolean) touched().get("all"));
    }

    @Test
    void aNewNameOrIndexMayHaveTouchedAny() {
        neo4j.rows("CREATE INDEX sizes FOR (n:Dot) ON (n.size)", Map.of());
        assertTrue((boolean) touched().get("all"));
        neo4j.rows("MATCH (n {name: 'a'}) SET n.seldom = 1", Map.of());
        assertTrue((boolean) touched().get("all"));
    }

    @Test
    void aPositionOfAnotherLogSaysNothing() {
        epoch = "another";
        assertTrue((boolean) touched().get("all"));
        assertFalse((boolean) touched().get("all"));
    }

    private void assertTouched(Collection<?> ends, Collection<?> nodes) {
        Map<String, Object> touched = touched();
        assertEquals(Set.copyOf(ends), Set.copyOf((List<?>) touched.get("ends")));
        assertEquals(Set.copyOf(nodes), Set.copyOf((List<?>) touched.get("nodes")));
        assertFalse((boolean) touched.get("all"));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> touched() {
        var row = neo4j.rows(
                        "CALL trellis.changes.since($epoch, $position)", Map.of("epoch", epoch, "position", position))
                .get(0);
        epoch = (String) row.get("epoch");
        position = (long) row.get("position");
        return (Map<String, Object>) row.get("touched");
    }

    private static Collection<?> ids(String... names) {
        return sorted(neo4j.rows("MATCH (n) WHERE n.name IN $names RETURN collect(elementId(n)) AS ids",
                        Map.of("names", List.of(names)))
                .get(0)
                .get("ids"));
    }

    private static Collection<?> sorted(Object ids) {
        return new TreeSet<Object>((List<?>) ids);
    }
}
