package trellis.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.neo4j.graphdb.QueryExecutionException;
import trellis.trie.TemporaryNeo4j;

/** The procedure in a real Neo4j. */
class SchemaProcTest {
    private static final String ATLAS =
            """
            CREATE (paris:City {name: 'Paris'})-[:capital_of]->(france:Country:_TrellisNamed),
                   (lyon:City {name: 'Lyon'})-[:in]->(france), (nice:City)-[:in]->(france),
                   (france)-[:about]->(:_TrellisMeta), (france)-[:`_trellis_x`]->(:Hidden)
            RETURN elementId(paris) AS paris
            """;

    private static TemporaryNeo4j neo4j;

    @BeforeAll
    static void start(@TempDir Path home) throws Exception {
        neo4j = new TemporaryNeo4j(home);
    }

    @AfterAll
    static void stop() {
        neo4j.close();
    }

    @BeforeEach
    void empty() {
        neo4j.rows("MATCH (node) DETACH DELETE node", Map.of());
    }

    @Test
    void pathsComeWithLabelsAndCountsAndNothingOfOurs() {
        Object paris = neo4j.rows(ATLAS, Map.of()).get(0).get("paris");
        assertEquals(
                List.of(
                        row(List.of("capital_of"), List.of("Country"), 1, 1),
                        row(List.of("capital_of", "^capital_of"), List.of("City"), 1, 1),
                        row(List.of("capital_of", "^in"), List.of("City"), 2, 2)),
                reachable(List.of(paris), 2, Map.of()));
    }

    @Test
    void labelsAndTypesMayBeExcludedAndPathsLimited() {
        Object paris = neo4j.rows(ATLAS, Map.of()).get(0).get("paris");
        assertEquals(
                List.of(List.of("capital_of"), List.of("capital_of", "^capital_of")),
                reachable(List.of(paris), 2, Map.of("excludeTypes", List.of("in"))).stream()
                        .map(row -> row.get("relations")).toList());
        assertEquals(List.of(), reachable(List.of(paris), 2, Map.of("excludeLabels", List.of("Country"))));
        var limited = reachable(List.of(paris), 2, Map.of("limit", 1L));
        assertEquals(1, limited.size());
        assertEquals(false, limited.get(0).get("followed"));
    }

    @Test
    void whatIsNotAllowedIsSaid() {
        var error = assertThrows(
                QueryExecutionException.class, () -> reachable(List.of(), 2, Map.of("names", true)));
        assertTrue(error.getMessage().contains("config.names is unknown"), error.getMessage());
    }

    private static Map<String, Object> row(List<String> relations, List<String> labels, long walks, long ends) {
        return Map.of(
                "relations", relations, "length", (long) relations.size(), "endLabels", labels,
                "walks", walks, "ends", ends, "counted", true, "followed", true);
    }

    private static List<Map<String, Object>> reachable(List<Object> anchors, long hops, Map<String, Object> config) {
        return neo4j.rows(
                "CALL trellis.schema.reachable($anchors, $hops, $config)",
                Map.of("anchors", anchors, "hops", hops, "config", config));
    }
}
