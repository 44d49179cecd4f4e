package trellis.gsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.graphdb.QueryExecutionException;
import trellis.trie.TemporaryNeo4j;

/** The procedure in a real Neo4j. */
class GsdProcTest {
    private static final String FILMS =
            """
            CREATE (heat:Film {name: 'Heat'}), (ronin:Film {name: 'Ronin'}), (mann:Person {name: 'Mann'}),
                   (niro:Person {name: 'De Niro'}),
                   (mann)-[:directed]->(heat), (mann)-[:wrote]->(heat), (niro)-[:played_in]->(heat),
                   (niro)-[:played_in]->(ronin), (mann)-[:admires]->(mann), (niro)-[:`_trellis_secret`]->(mann),
                   (:_TrellisMeta {name: 'meta'})-[:directed]->(heat)
            RETURN elementId(heat) AS heat, elementId(ronin) AS ronin, elementId(mann) AS mann, elementId(niro) AS niro
            """;

    private static final String THIRTY = "[i IN range(1, 30) | [0, 1]]";

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

    private static Map<String, Object> pattern(int nodes, Object... edges) {
        return Map.of("nodes", (long) nodes, "edges", List.of(edges));
    }

    private static List<Long> edge(long source, long target) {
        return List.of(source, target);
    }

    private static Map<String, Object> ids(List<?> ids, Number... distances) {
        return Map.of("ids", ids, "distances", List.of(distances));
    }

    private static Map<String, Object> types(List<String> types, Number... distances) {
        return Map.of("types", types, "distances", List.of(distances));
    }

    private static Map<String, Object> candidates(List<?> nodes, List<?> relations) {
        return Map.of("nodes", nodes, "relations", relations);
    }

    private static List<Map<String, Object>> search(
            Map<String, Object> pattern, Map<String, Object> candidates, long k, Map<String, Object> config) {
        return neo4j.rows(
                "CALL trellis.gsd.search($pattern, $candidates, $k, $config)",
                Map.of("pattern", pattern, "candidates", candidates, "k", k, "config", config));
    }

    /** Two rows of nodes in the order of their first element ids. */
    private static List<List<Object>> sorted(List<Object> row, List<Object> other) {
        return row.get(0).toString().compareTo(other.get(0).toString()) < 0 ? List.of(row, other) : List.of(other, row);
    }

    @Test
    void aRowIsAMappingWithItsRelationships() {
        Map<String, Object> ids = neo4j.rows(FILMS, Map.of()).get(0);
        var rows = search(
                pattern(3, edge(0, 1), edge(2, 1)),
                candidates(
                        Arrays.asList(ids(List.of(ids.get("mann")), 0.25), null, ids(List.of(ids.get("niro")), 0)),
                        Arrays.asList(types(List.of("wrote", "directed", "no such type"), 0.5, 0.1, 0), null)),
                3, Map.of());
        assertEquals(1, rows.size());
        assertEquals(0.35, rows.get(0).get("distance"));
        assertEquals(List.of(ids.get("mann"), ids.get("heat"), ids.get("niro")), rows.get(0).get("nodes"));
        assertEquals(List.of("directed", "played_in"), rows.get(0).get("types"));
        assertEquals(true, rows.get(0).get("complete"));
        var stored = neo4j.rows(
                "UNWIND $ids AS id MATCH ()-[r]->() WHERE elementId(r) = id RETURN type(r) AS type",
                Map.of("ids", rows.get(0).get("relationships")));
        assertEquals(List.of("directed", "played_in"), stored.stream().map(row -> row.get("type")).toList());
    }

    @Test
    void parallelEdgesTakeDifferentRelationshipsAndLoopsOnlyLoops() {
        Map<String, Object> ids = neo4j.rows(FILMS, Map.of()).get(0);
        var any = candidates(Arrays.asList(null, null), Arrays.asList(null, types(List.of("wrote", "directed"), 0.1, 0.4)));
        var rows = search(pattern(2, edge(0, 1), edge(0, 1)), any, 10, Map.of());
        assertEquals(
                sorted(List.of(ids.get("heat"), ids.get("mann")), List.of(ids.get("mann"), ids.get("heat"))),
                rows.stream().map(row -> row.get("nodes")).toList());
        assertEquals(List.of("directed", "wrote"), rows.get(0).get("types"));
        assertEquals(0.1, rows.get(0).get("distance"));
        assertEquals(1, search(pattern(2, edge(0, 1), edge(0, 1)), any, 10, Map.of("directed", true)).size());
        var loops = search(pattern(1, edge(0, 0)), candidates(Collections.singletonList(null), Collections.singletonList(null)), 10, Map.of());
        assertEquals(List.of(List.of(ids.get("mann"))), loops.stream().map(row -> row.get("nodes")).toList());
    }

    @Test
    void labelsFitAtTheirDistance() {
        Map<String, Object> ids = neo4j.rows(FILMS, Map.of()).get(0);
        var labels = Map.of("labels", List.of("Film", "No such label", "Film"), "distances", List.of(0.5, 0.0, 0.3));
        var rows = search(
                pattern(2, edge(0, 1)), candidates(Arrays.asList(labels, ids(List.of(ids.get("niro")), 0.0)), List.of(types(List.of("played_in"), 0.0))),
                5, Map.of());
        assertEquals(List.of(0.3, 0.3), rows.stream().map(row -> row.get("distance")).toList());
        assertEquals(
                sorted(List.of(ids.get("heat"), ids.get("niro")), List.of(ids.get("ronin"), ids.get("niro"))),
                rows.stream().map(row -> row.get("nodes")).toList());
    }

    @Test
    void whatIsHiddenIsNeverMatched() {
        Map<String, Object> ids = neo4j.rows(FILMS, Map.of()).get(0);
        var any = candidates(Arrays.asList(null, null), Collections.singletonList(null));
        assertEquals(2 * 4 - 2, search(pattern(2, edge(0, 1)), any, 100, Map.of()).size(), "heat-mann, heat-niro, ronin-niro both ways");
        assertEquals(2, search(pattern(2, edge(0, 1)), any, 100, Map.of("excludeTypes", List.of("played_in"))).size());
        assertEquals(0, search(pattern(2, edge(0, 1)), any, 100, Map.of("excludeLabels", List.of("Film"))).size());
        Object meta = neo4j.rows("MATCH (n:_TrellisMeta) RETURN elementId(n) AS id", Map.of()).get(0).get("id");
        var hidden = candidates(Arrays.asList(ids(List.of(meta), 0.0), null), Collections.singletonList(null));
        assertEquals(List.of(), search(pattern(2, edge(0, 1)), hidden, 5, Map.of()));
        var secret = candidates(Arrays.asList(null, ids(List.of(ids.get("mann")), 0.0)), List.of(types(List.of("_trellis_secret"), 0.0)));
        assertEquals(List.of(), search(pattern(2, edge(0, 1)), secret, 5, Map.of()));
    }

    @Test
    void aHubOfEqualMatchesGivesTheFirstByElementIdAsText() {
        neo4j.rows("CREATE (hub:Hub) WITH hub UNWIND range(1, 100000) AS i CREATE (:Leaf)-[:of]->(hub)", Map.of());
        Object hub = neo4j.rows("MATCH (hub:Hub) RETURN elementId(hub) AS id", Map.of()).get(0).get("id");
        List<?> leaves = neo4j.rows("MATCH (n:Leaf) RETURN elementId(n) AS id ORDER BY id LIMIT 4", Map.of()).stream().map(row -> row.get("id")).toList();
        var rows = search(
                pattern(3, edge(0, 1), edge(1, 2)), candidates(Arrays.asList(null, ids(List.of(hub), 0.0), null), Arrays.asList(null, null)),
                4, Map.of());
        List<List<Object>> expected = new ArrayList<>();
        expected.add(List.of(leaves.get(0), hub, leaves.get(1)));
        expected.add(List.of(leaves.get(0), hub, leaves.get(2)));
        expected.add(List.of(leaves.get(0), hub, leaves.get(3)));
        var fourth = rows.get(3);
        assertEquals(expected, rows.subList(0, 3).stream().map(row -> row.get("nodes")).toList());
        assertEquals(leaves.get(0), ((List<?>) fourth.get("nodes")).get(0));
        assertTrue(rows.stream().allMatch(row -> row.get("complete").equals(true)));
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aStoredGraphIsSearchedAsInMemory(long seed) {
        RandomProblem problem = RandomProblem.of(seed);
        List<String> ids = store(problem.graph());
        Map<String, Integer> numbers = new HashMap<>();
        ids.forEach(id -> numbers.put(id, numbers.size()));
        List<Match> all = problem.bruteForce();
        var rows = search(
                pattern(problem.pattern().nodes(), problem.edges()),
                problem.candidates(ids), 1_000, Map.of("directed", problem.directed(), "excludeLabels", List.of("Hidden")));
        assertEquals(
                all.stream().map(match -> "%s %s".formatted(match.excess() / 100.0, Arrays.stream(match.nodes()).mapToObj(node -> ids.get((int) node)).toList())).sorted().toList(),
                rows.stream().map(row -> "%s %s".formatted(row.get("distance"), row.get("nodes"))).sorted().toList());
        for (int i = 1; i < rows.size(); i++) {
            assertTrue(key(rows.get(i - 1)).compareTo(key(rows.get(i))) < 0, "row " + i);
        }
    }

    private static String key(Map<String, Object> row) {
        List<String> nodes = ((List<?>) row.get("nodes")).stream().map(id -> id + " ").toList();
        return "%020.3f %s".formatted((Double) row.get("distance"), String.join("", nodes));
    }

    private static List<String> store(MemoryDataGraph graph) {
        List<String> ids = new ArrayList<>();
        for (int node = 0; node < graph.nodeCount(); node++) {
            String hidden = graph.hidden().contains((long) node) ? ":Hidden" : "";
            String labels = String.join("", graph.labels().get(node).stream().map(label -> ":L" + label).toList());
            ids.add((String) neo4j.rows("CREATE (n%s%s) RETURN elementId(n) AS id".formatted(hidden, labels), Map.of()).get(0).get("id"));
        }
        for (MemoryDataGraph.Edge edge : graph.edges()) {
            neo4j.rows(
                    "MATCH (a), (b) WHERE elementId(a) = $a AND elementId(b) = $b CREATE (a)-[:T%d]->(b)".formatted(edge.type()),
                    Map.of("a", ids.get((int) edge.start()), "b", ids.get((int) edge.end())));
        }
        return ids;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {nodes: 0, edges: []}                 | {}                                                            | 1 | {} | pattern.nodes is 0
            {nodes: 17, edges: []}                | {}                                                            | 1 | {} | pattern.nodes is 17
            {nodes: 'x', edges: []}               | {}                                                            | 1 | {} | pattern.nodes is 'x'
            {nodes: 2, edges: []}                 | {}                                                            | 1 | {} | several parts
            {nodes: 4, edges: [[0, 1], [2, 3]]}   | {}                                                            | 1 | {} | several parts
            {nodes: 2, edges: [[0, 2]]}           | {}                                                            | 1 | {} | pattern.edges[0][1] is 2
            {nodes: 2, edges: [[-1, 1]]}          | {}                                                            | 1 | {} | pattern.edges[0][0] is -1
            {nodes: 2, edges: [[0, 1, 1]]}        | {}                                                            | 1 | {} | allowed: [source, target]
            {nodes: 2, edges: THIRTY} | {}                                                | 1 | {} | pattern.edges is a list of 30
            {nodes: 1, knots: 1}                  | {}                                                            | 1 | {} | pattern.knots is unknown
            null                                  | {}                                                            | 1 | {} | pattern is null
            {nodes: 1}                            | null                                                          | 1 | {} | candidates is null
            {nodes: 1}                            | {nodes: []}                                                   | 1 | {} | candidates.nodes is a list of 0
            {nodes: 1}                            | {nodes: [null, null]}                                         | 1 | {} | candidates.nodes is a list of 2
            {nodes: 1}                            | {nodes: [1]}                                                  | 1 | {} | candidates.nodes[0] is not understood
            {nodes: 1}                            | {nodes: [{ids: ['nonsense'], distances: [0]}]}                | 1 | {} | candidates.nodes[0].ids[0] is 'nonsense'
            {nodes: 1}                            | {nodes: [{ids: [], distances: [0]}]}                          | 1 | {} | 0 ids and 1 distances
            {nodes: 1}                            | {nodes: [{labels: ['A'], distances: [-0.5]}]}                 | 1 | {} | candidates.nodes[0].distances[0] is -0.5
            {nodes: 1}                            | {nodes: [{labels: ['A'], distances: [0.0 / 0]}]}              | 1 | {} | candidates.nodes[0].distances[0] is NaN
            {nodes: 1}                            | {nodes: [{labels: ['A'], distances: [1.0 / 0]}]}              | 1 | {} | candidates.nodes[0].distances[0] is Infinity
            {nodes: 1}                            | {nodes: [{labels: ['A'], distances: ['x']}]}                  | 1 | {} | candidates.nodes[0].distances[0] is 'x'
            {nodes: 1, edges: [[0, 0]]}           | {relations: [{types: ['A', 'B'], distances: [1]}]}            | 1 | {} | 2 types and 1 distances
            {nodes: 1}                            | {}                                                            | 0 | {} | k is 0
            {nodes: 1}                            | {}                                                            | 1000000 | {} | k is 1000000
            {nodes: 1}                            | {}                                                            | 1 | {budget: 1} | config.budget is unknown
            {nodes: 1}                            | {}                                                            | 1 | {timeout: -1} | config.timeout is -1
            {nodes: 1}                            | {}                                                            | 1 | {directed: 1} | config.directed is 1
            """)
    void whatCannotBeSearchedIsRefusedWithTheReason(String pattern, String candidates, String k, String config, String reason) {
        String call = "CALL trellis.gsd.search(%s, %s, %s, %s)".formatted(pattern.replace("THIRTY", THIRTY), candidates, k, config);
        var refused = assertThrows(QueryExecutionException.class, () -> neo4j.rows(call, Map.of()));
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        assertTrue(refused.getMessage().contains("allowed: "), refused.getMessage());
    }

    @Test
    void aNodeThatIsNoLongerThereIsRefused() {
        Object gone = neo4j.rows("CREATE (n) RETURN elementId(n) AS id", Map.of()).get(0).get("id");
        empty();
        var candidates = candidates(List.of(ids(List.of(gone), 0.0)), List.of());
        var refused = assertThrows(QueryExecutionException.class, () -> search(pattern(1), candidates, 1, Map.of()));
        assertTrue(refused.getMessage().contains("candidates.nodes[0].ids[0] is '" + gone), refused.getMessage());
    }

    @Test
    void idsMayBePackedAsBytes() {
        Map<String, Object> ids = neo4j.rows(FILMS, Map.of()).get(0);
        String id = (String) ids.get("niro");
        String prefix = id.substring(0, id.lastIndexOf(':') + 1);
        byte[] number = bytes(Long.parseLong(id.substring(prefix.length())));
        var packed = Map.of("prefix", prefix, "numbers", number, "distances", bytes(Double.doubleToLongBits(0.5)));
        var rows = search(pattern(1), candidates(List.of(packed), List.of()), 1, Map.of());
        assertEquals(List.of(id), rows.get(0).get("nodes"));
        assertEquals(0.5, rows.get(0).get("distance"));
        for (var wrong : List.of(
                Map.of("prefix", prefix, "numbers", bytes(999_999), "distances", number),
                ids(List.of(prefix + "-1"), 0.0), ids(List.of(prefix + "999999999999999"), 0.0), ids(List.of(prefix), 0.0),
                Map.of("prefix", prefix, "numbers", bytes(-1), "distances", number),
                Map.of("prefix", prefix, "numbers", bytes(Long.MAX_VALUE), "distances", number),
                Map.of("prefix", "4:nowhere:", "numbers", number, "distances", number),
                Map.of("prefix", prefix, "numbers", new byte[9], "distances", new byte[9]),
                Map.of("prefix", prefix, "numbers", number, "distances", bytes(Double.doubleToLongBits(-1.0))))) {
            var refused = assertThrows(
                    QueryExecutionException.class,
                    () -> search(pattern(1), candidates(List.of(wrong), List.of()), 1, Map.of()));
            assertTrue(refused.getMessage().contains("; allowed: "), refused.getMessage());
        }
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
    }

    @Test
    void nothingFitsAnEmptyList() {
        neo4j.rows(FILMS, Map.of());
        var nothing = candidates(Arrays.asList(ids(List.of()), null), Collections.singletonList(null));
        assertEquals(List.of(), search(pattern(2, edge(0, 1)), nothing, 5, Map.of()));
        assertEquals(
                List.of(Map.of("complete", true)),
                search(pattern(2, edge(0, 1)), nothing, 5, Map.of("summary", true)).stream()
                        .map(row -> Map.of("complete", row.get("complete"))).toList());
    }

    /** A pattern of nothing but unknown nodes, all of which tie, in a graph where none of its cycles close. */
    private static Map<String, Object> endless() {
        neo4j.rows("UNWIND range(1, 400) AS i CREATE (:L) WITH count(*) AS n MATCH (a:L), (b:L) WHERE a <> b AND rand() < 0.2 CREATE (a)-[:r]->(b)", Map.of());
        List<Object> edges = new ArrayList<>();
        for (long node = 0; node < 5; node++) {
            edges.add(edge(node, node + 1));
        }
        edges.add(edge(5, 5));
        return pattern(6, edges.toArray());
    }

    @Test
    void whatTakesTooLongSaysThatItIsNotComplete() {
        Map<String, Object> pattern = endless();
        var rows = search(pattern, Map.of(), 3, Map.of("timeout", 0.2, "summary", true));
        assertEquals(List.of(false), rows.stream().map(row -> row.get("complete")).toList());
        rows = search(pattern, Map.of(), 3, Map.of("memory", 1L, "summary", true));
        assertEquals(List.of(false), rows.stream().map(row -> row.get("complete")).toList());
        assertEquals(List.of(), search(pattern, Map.of(), 3, Map.of("timeout", 0)));
    }

    @Test
    void aTerminatedTransactionEndsTheSearch() {
        Map<String, Object> parameters = Map.of("pattern", endless());
        assertThrows(RuntimeException.class, () -> {
            try (var transaction = neo4j.begin(300, TimeUnit.MILLISECONDS)) {
                transaction.execute("CALL trellis.gsd.search($pattern, {}, 3, {timeout: 3600, memory: 400})", parameters).resultAsString();
            }
        });
        assertFalse(search(pattern(1), Map.of(), 1, Map.of()).isEmpty(), "the next call is served");
    }
}
