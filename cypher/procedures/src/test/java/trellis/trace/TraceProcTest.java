package trellis.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.graphdb.QueryExecutionException;
import trellis.trie.TemporaryNeo4j;

/** The procedure in a real Neo4j. */
class TraceProcTest {
    private static final String FILMS =
            """
            CREATE (heat:Film {name: 'Heat'}), (ronin:Film {name: 'Ronin'}), (mann:Person {name: 'Mann'}),
                   (niro:Person {name: 'De Niro'}),
                   (mann)-[:directed]->(heat), (mann)-[:wrote]->(heat), (niro)-[:played_in]->(heat),
                   (niro)-[:played_in]->(ronin), (niro)-[:`_trellis_secret`]->(mann),
                   (:_TrellisMeta {name: 'meta'})-[:directed]->(heat)
            RETURN elementId(heat) AS heat, elementId(ronin) AS ronin, elementId(mann) AS mann, elementId(niro) AS niro
            """;
    private static final Map<String, Object> TWO_STEPS =
            Map.of("nodes", 3L, "edges", List.of(List.of(0L, 1L), List.of(2L, 1L)));

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
        neo4j.rows("MATCH (node) CALL (node) { DETACH DELETE node }", Map.of());
    }

    private static Map<String, Object> listed(Object id) {
        return Map.of("ids", List.of(id), "scores", List.of(1.0));
    }

    private static Map<String, Object> types(List<String> types, Double... scores) {
        return Map.of("types", types, "scores", List.of(scores));
    }

    private static List<Map<String, Object>> search(
            Object first, Map<String, Object> relation, List<Object> guidance, Map<String, Object> config) {
        Map<String, Object> candidates = Map.of(
                "nodes", Arrays.asList(listed(first), null, null), "relations", Arrays.asList(relation, null));
        return neo4j.rows(
                "CALL trellis.trace.search($schemaGraph, $candidates, $guidance, $config)",
                Map.of("schemaGraph", TWO_STEPS, "candidates", candidates, "guidance", guidance, "config", config));
    }

    @Test
    void precisionTakesTheBestRelationshipAndGuidanceMayChangeWhichThatIs() {
        Map<String, Object> ids = neo4j.rows(FILMS, Map.of()).get(0);
        var relation = types(List.of("played_in", "no such type"), 0.5, 1.0);
        var rows = search(ids.get("niro"), relation, List.of(ids.get("niro"), ids.get("heat")), Map.of());
        assertEquals(1, rows.size());
        var row = rows.get(0);
        assertEquals(List.of(ids.get("niro"), ids.get("heat"), ids.get("mann")), row.get("nodes"));
        assertEquals(List.of(1.0, 0.0), row.get("scores"));
        assertEquals(1.5 + 1.0, row.get("score"));
        assertEquals(true, row.get("complete"));
        assertEquals("played_in", ((List<?>) row.get("types")).get(0));
        var stored = neo4j.rows(
                "UNWIND $ids AS id MATCH ()-[r]->() WHERE elementId(r) = id RETURN type(r) AS type",
                Map.of("ids", row.get("relationships")));
        assertEquals(row.get("types"), stored.stream().map(each -> each.get("type")).toList());
    }

    @Test
    void breadthTakesAllAboveTheThresholdAndNothingThatIsHidden() {
        Map<String, Object> ids = neo4j.rows(FILMS, Map.of()).get(0);
        var relation = types(List.of("played_in"), 0.5);
        var config = Map.<String, Object>of("strategy", "breadth", "threshold", 0.0);
        assertEquals(2, search(ids.get("niro"), relation, List.of(), config).size(), "by directed and by wrote");
        var above = Map.<String, Object>of("strategy", "breadth", "threshold", 0.6);
        assertEquals(List.of(), search(ids.get("niro"), relation, List.of(), above));
        var hidden = Map.<String, Object>of("strategy", "breadth", "threshold", 0.0, "excludeTypes", List.of("wrote"));
        assertEquals(1, search(ids.get("niro"), relation, List.of(), hidden).size());
        var nowhere = Map.<String, Object>of("excludeLabels", List.of("Film"), "summary", true);
        var nothing = search(ids.get("niro"), relation, List.of(), nowhere);
        assertEquals(List.of(true), nothing.stream().map(row -> row.get("complete")).toList());
    }

    @Test
    void oneTraceOfEachShape() {
        neo4j.rows("CREATE (a:Hub) WITH a UNWIND range(1, 50) AS i CREATE (a)-[:r]->(:Leaf {i: i})-[:s]->(:End)", Map.of());
        Object hub = neo4j.rows("MATCH (a:Hub) RETURN elementId(a) AS id", Map.of()).get(0).get("id");
        var config = Map.<String, Object>of("strategy", "breadth", "threshold", 0.0, "shapes", true);
        var rows = search(hub, types(List.of("r"), 1.0), List.of(), config);
        assertEquals(List.of(List.of("r", "s")), rows.stream().map(row -> row.get("types")).toList());
        var all = Map.<String, Object>of("strategy", "breadth", "threshold", 0.0);
        assertEquals(50, search(hub, types(List.of("r"), 1.0), List.of(), all).size());
    }

    @Test
    void whatTakesTooLongSaysThatItIsNotCompleteAndATerminatedTransactionEndsIt() {
        neo4j.rows(
                "UNWIND range(1, 300) AS i CREATE (:L) WITH count(*) AS n MATCH (a:L), (b:L) WHERE a <> b AND rand() < 0.3"
                        + " CREATE (a)-[:r]->(b)",
                Map.of());
        Object first = neo4j.rows("MATCH (a:L) RETURN elementId(a) AS id LIMIT 1", Map.of()).get(0).get("id");
        var nodes = Arrays.asList(listed(first), null, null, null, null, null, null);
        List<List<Long>> edges = List.of(
                List.of(0L, 1L), List.of(1L, 2L), List.of(2L, 3L), List.of(3L, 4L), List.of(4L, 5L), List.of(5L, 6L), List.of(6L, 6L));
        Map<String, Object> given = Map.of(
                "schemaGraph", Map.of("nodes", 7L, "edges", edges),
                "candidates", Map.of("nodes", nodes, "relations", Collections.nCopies(7, types(List.of("r"), 1.0))));
        String call = "CALL trellis.trace.search($schemaGraph, $candidates, [], {timeout: %s, summary: true})";
        var rows = neo4j.rows(call.formatted("0.2"), given);
        assertEquals(List.of(false), rows.stream().map(row -> row.get("complete")).toList());
        assertThrows(RuntimeException.class, () -> {
            try (var transaction = neo4j.begin(300, TimeUnit.MILLISECONDS)) {
                transaction.execute(call.formatted("3600"), given).resultAsString();
            }
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {nodes: 0, edges: []}               | {}                                            | []           | {} | schemaGraph.nodes is 0
            {nodes: 4, edges: [[0, 1], [2, 3]]} | {}                                            | []           | {} | schemaGraph has several parts
            {nodes: 2, edges: [[0, 2]]}         | {}                                            | []           | {} | schemaGraph.edges[0][1] is 2
            null                                | {}                                            | []           | {} | schemaGraph is null
            {nodes: 1}                          | {}                                            | []           | {} | candidates.nodes lists no node
            {nodes: 1}                          | {nodes: [null]}                               | []           | {} | candidates.nodes lists no node
            {nodes: 1}                          | {nodes: [null, null]}                         | []           | {} | candidates.nodes is a list of 2
            {nodes: 1}                          | {nodes: [{ids: [], distances: []}]}           | []           | {} | candidates.nodes[0] is not understood
            {nodes: 1}                          | {nodes: [{ids: ['nonsense'], scores: [1]}]}   | []           | {} | candidates.nodes[0].ids[0] is 'nonsense'
            {nodes: 1}                          | {nodes: [{ids: ['4:x:1'], scores: []}]}       | []           | {} | 1 ids and 0 scores
            {nodes: 1}                          | {nodes: [{ids: ['4:x:1'], scores: [-0.5]}]}   | []           | {} | candidates.nodes[0].scores[0] is -0.5
            {nodes: 1}                          | {nodes: [{ids: ['4:x:1'], scores: [0.0/0]}]}  | []           | {} | candidates.nodes[0].scores[0] is NaN
            {nodes: 1}                          | {nodes: [{ids: [], scores: []}]}              | ['nonsense'] | {} | guidance[0] is 'nonsense'
            {nodes: 1}                          | {nodes: [{ids: [], scores: []}]}              | [] | {strategy: 'wide'} | config.strategy is 'wide'
            {nodes: 1}                          | {nodes: [{ids: [], scores: []}]}              | [] | {limit: 0}         | config.limit is 0
            {nodes: 1}                          | {nodes: [{ids: [], scores: []}]}              | [] | {anchors: 0}       | config.anchors is 0
            {nodes: 1}                          | {nodes: [{ids: [], scores: []}]}              | [] | {revisit: 'x'}     | config.revisit is 'x'
            {nodes: 1}                          | {nodes: [{ids: [], scores: []}]}              | [] | {theta: 1}         | config.theta is unknown
            """)
    void whatCannotBeTracedIsRefusedWithTheReason(
            String schemaGraph, String candidates, String guidance, String config, String reason) {
        String call = "CALL trellis.trace.search(%s, %s, %s, %s)".formatted(schemaGraph, candidates, guidance, config);
        var refused = assertThrows(QueryExecutionException.class, () -> neo4j.rows(call, Map.of()));
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        assertTrue(refused.getMessage().contains("allowed: "), refused.getMessage());
    }

    @Test
    void manyCandidatesAreCutToTheBestAnchors() {
        neo4j.rows("UNWIND range(1, 100000) AS i CREATE (:Many {i: i})", Map.of());
        neo4j.rows("MATCH (a:Many {i: 70000}), (b:Many {i: 3}) CREATE (a)-[:r]->(b)", Map.of());
        var rows = neo4j.rows(
                "MATCH (n:Many) WITH collect(elementId(n)) AS ids, collect(CASE n.i WHEN 70000 THEN 1.0 ELSE 0.5 END) AS scores"
                        + " CALL trellis.trace.search({nodes: 2, edges: [[0, 1]]}, {nodes: [{ids: ids, scores: scores}, null]})"
                        + " YIELD score RETURN score",
                Map.of());
        assertEquals(List.of(1.0), rows.stream().map(row -> row.get("score")).toList());
    }
}
