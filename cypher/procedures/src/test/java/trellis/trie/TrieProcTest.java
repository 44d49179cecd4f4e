package trellis.trie;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.RelationshipType;

/** The procedures in a real Neo4j. */
class TrieProcTest {
    private static final String ATLAS =
            """
            CREATE (paris:City {name: 'Paris'})-[:capital_of]->(france:Country {title: 'France'}),
                   (spain:Country {_trellis_name: 'Spain', name: 'España'})-[:borders]->(france),
                   (france)-[:`_trellis_secret`]->(:Hidden {name: 'secret'}),
                   (france)-[:about]->(:_TrellisMeta {name: 'meta'}),
                   (paris)-[:twin]->(paris), (spain)-[:borders]->(france),
                   (spain)-[:year]->(:Number {name: 1978}), (spain)-[:nothing]->(:Nameless)
            RETURN elementId(paris) AS paris, elementId(france) AS france, elementId(spain) AS spain
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
    void theNeighbourhoodComesAsPackedArrays() {
        Map<String, Object> ids = atlas();
        Map<String, Object> row = neighbourhood(List.of(ids.get("paris")), 2, Map.of());

        assertEquals(List.of(ids.get("paris"), ids.get("france"), ids.get("spain")), row.get("nodes"));
        assertEquals(List.of("Paris", "France", "Spain"), row.get("names"));
        assertEquals(List.of("borders", "capital_of", "twin"), row.get("relationTypes"));
        assertArrayEquals(new int[] {0, 1, 2}, ints(row, "levels"));
        assertArrayEquals(new int[] {0, 3, 6, 6}, ints(row, "offsets"));
        assertArrayEquals(new int[] {1, 0, 0, 2, 2, 0}, ints(row, "targets"));
        assertArrayEquals(new int[] {1, 2, 2, 0, 0, 1}, ints(row, "types"));
        assertArrayEquals(new byte[] {0, 0, 1, 1, 1, 1}, (byte[]) row.get("directions"));
        assertEquals(List.of(0L), row.get("anchors"));
        assertEquals(6L, row.get("edges"));
        assertEquals(false, row.get("cut"));
        assertEquals(List.of(), row.get("cuts"));
    }

    @Test
    void namesAreTextAndMayBeLeftOut() {
        Object spain = atlas().get("spain");
        assertEquals(List.of("", "1978", "France", "Spain"), names(spain, Map.of()));
        assertEquals(List.of(), neighbourhood(List.of(spain), 1, Map.of("names", false)).get("names"));
        Map<String, Object> byName = Map.of("nameProperties", List.of("name"));
        assertEquals(List.of("", "", "1978", "España"), names(spain, byName));
    }

    /** The names of a node and its neighbours, sorted: the order of nodes is that of their ids. */
    private List<String> names(Object node, Map<String, Object> config) {
        List<?> found = (List<?>) neighbourhood(List.of(node), 1, config).get("names");
        return found.stream().map(String.class::cast).sorted().toList();
    }

    @Test
    void typesAndLabelsMayBeExcludedOrPicked() {
        Object paris = atlas().get("paris");
        assertEquals(
                List.of("twin"),
                neighbourhood(List.of(paris), 2, Map.of("excludeTypes", List.of("capital_of"))).get("relationTypes"));
        assertEquals(
                List.of("capital_of"),
                neighbourhood(List.of(paris), 2, Map.of("relationTypes", List.of("capital_of", "no such type"))).get("relationTypes"));
        assertEquals(0L, neighbourhood(List.of(paris), 2, Map.of("relationTypes", List.of("no such type"))).get("edges"));
        assertEquals(
                List.of("Paris"), neighbourhood(List.of(paris), 2, Map.of("excludeLabels", List.of("Country"))).get("names"));
    }

    /** Few hidden nodes are listed before the search, of many each neighbour is looked at. */
    @ParameterizedTest
    @ValueSource(ints = {5, 2_500})
    void hiddenNeighboursOfAHubAreNotThereHoweverMany(int hidden) {
        Object hub = neo4j.rows(
                        "CREATE (h:Hub {name: 'hub'})-[:SEES]->({name: 'seen'}) WITH h"
                                + " FOREACH (i IN range(1, $hidden) | CREATE (h)-[:SEES]->(:Hidden {name: 'hidden'}))"
                                + " RETURN elementId(h) AS id",
                        Map.of("hidden", hidden))
                .get(0).get("id");
        var row = neighbourhood(List.of(hub), 1, Map.of("excludeLabels", List.of("Hidden")));
        assertEquals(List.of("hub", "seen"), row.get("names"));
        assertEquals(1L, row.get("edges"));
    }

    @Test
    void anchorsCountOnceAndAbsentOnesAreTold() {
        Map<String, Object> ids = atlas();
        String gone = ids.get("paris").toString().replaceAll("\\d+$", "999999");
        var row = neighbourhood(List.of(ids.get("spain"), gone, ids.get("spain"), "nonsense", ids.get("france")), 0, Map.of());
        assertEquals(List.of(ids.get("spain"), ids.get("france")), row.get("nodes"));
        assertEquals(List.of(0L, 1L), row.get("anchors"));
        assertEquals(List.of(gone, "nonsense"), row.get("missing"));
        assertEquals(List.of(), neighbourhood(List.of(), 2, Map.of()).get("nodes"));
    }

    @Test
    void aCutHubSaysWhereItWasCut() {
        var hub = neo4j.rows(
                "CREATE (hub:Hub) WITH hub UNWIND range(1, 500) AS i CREATE (:Leaf)-[:in]->(hub)"
                        + " WITH DISTINCT hub UNWIND range(1, 3) AS i CREATE (hub)-[:rare]->(:Leaf)"
                        + " RETURN DISTINCT elementId(hub) AS id", Map.of()).get(0).get("id");
        var row = neighbourhood(List.of(hub), 1, Map.of("edgeBudget", 10L));
        assertEquals(10L, row.get("edges"));
        assertEquals(true, row.get("cut"));
        assertEquals(1L, row.get("cutCount"));
        assertEquals(
                List.of(Map.of("node", hub, "relationType", "in", "direction", "IN", "kept", 7L, "total", 500L)),
                row.get("cuts"));
    }

    static LongStream seeds() {
        return LongStream.range(0, 25);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aStoredGraphIsSearchedAsInMemory(long seed) {
        RandomGraph graph = RandomGraph.of(seed);
        Map<Long, String> ids = store(graph);
        long[] anchors = graph.someNodes(seed);
        Neighbourhood expected = NeighbourhoodSearch.run(graph, anchors, 3, 1_000_000);

        var row = neighbourhood(Arrays.stream(anchors).mapToObj(ids::get).toList(), 3, Map.of());

        assertEquals(triples(expected, ids), triples(row));
        assertArrayEquals(expected.levels(), ints(row, "levels"));
        assertEquals(List.of(expected.relationTypes()), row.get("relationTypes"));
    }

    @Test
    void pathsReadInTheDirectionOfTheirRelationships() {
        Map<String, Object> ids = atlas();
        var rows = paths(List.of(ids.get("paris")), 2, Map.of());
        assertEquals(
                List.of(
                        "Paris -> capital_of -> France",
                        "Paris -> capital_of -> France <- borders <- Spain",
                        "Paris -> capital_of -> France <- borders <- Spain"),
                rows.stream().map(row -> row.get("text")).toList());
        var last = rows.get(2);
        assertEquals(ids.get("paris"), last.get("anchor"));
        assertEquals(List.of(ids.get("paris"), ids.get("france"), ids.get("spain")), last.get("nodes"));
        assertEquals(List.of("Paris", "France", "Spain"), last.get("names"));
        assertEquals(List.of("capital_of", "^borders"), last.get("relations"));
        assertEquals(2L, last.get("length"));
    }

    @Test
    void pathsMayRevisitAndAreLimited() {
        Object paris = atlas().get("paris");
        assertEquals(3, paths(List.of(paris), 2, Map.of("revisit", "not_topic")).size());
        assertEquals(3 + 3 + 2 + 6 - 2, paths(List.of(paris), 2, Map.of("revisit", "any")).size());
        assertEquals(2, paths(List.of(paris), 2, Map.of("limit", 2L)).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{hops: 9}", "{budget: 1}", "{edgeBudget: -1}"})
    void wrongSettingsAreRefusedWithWhatIsAllowed(String config) {
        String call = config.contains("hops") ? "[], 9, {}" : "[], 1, " + config;
        var refused = assertThrows(
                QueryExecutionException.class,
                () -> neo4j.rows("CALL trellis.trie.neighbourhood(" + call + ")", Map.of()));
        assertTrue(refused.getMessage().contains("; allowed: "), refused.getMessage());
    }

    @Test
    void aTimeoutStopsAnEndlessSearch() {
        var hub = neo4j.rows(
                "CREATE (hub) WITH hub UNWIND range(1, 200) AS i CREATE (hub)-[:loop]->(hub)"
                        + " RETURN DISTINCT elementId(hub) AS id", Map.of()).get(0).get("id");
        Map<String, Object> parameters = Map.of("ids", List.of(hub));
        assertThrows(RuntimeException.class, () -> {
            try (var transaction = neo4j.begin(500, TimeUnit.MILLISECONDS)) {
                transaction.execute(
                        "CALL trellis.trie.paths($ids, 8, {revisit: 'any', limit: 1000000000000}) YIELD length"
                                + " RETURN count(*) AS n", parameters).resultAsString();
            }
        });
        assertEquals(400, paths(List.of(hub), 1, Map.of("revisit", "any")).size(), "the next call is served");
    }

    private static Map<String, Object> atlas() {
        return neo4j.rows(ATLAS, Map.of()).get(0);
    }

    private static Map<String, Object> neighbourhood(List<?> ids, int hops, Map<String, Object> config) {
        return neo4j.rows(
                "CALL trellis.trie.neighbourhood($ids, $hops, $config)",
                Map.of("ids", ids, "hops", hops, "config", config)).get(0);
    }

    private static List<Map<String, Object>> paths(List<?> ids, int hops, Map<String, Object> config) {
        return neo4j.rows(
                "CALL trellis.trie.paths($ids, $hops, $config)",
                Map.of("ids", ids, "hops", hops, "config", config));
    }

    private static int[] ints(Map<String, Object> row, String column) {
        ByteBuffer bytes = ByteBuffer.wrap((byte[]) row.get(column)).order(ByteOrder.LITTLE_ENDIAN);
        return IntStream.range(0, bytes.capacity() / 4).map(i -> bytes.getInt(4 * i)).toArray();
    }

    /** Writes the graph's nodes in the order of their ids, so that Neo4j numbers them alike. */
    private static Map<Long, String> store(RandomGraph graph) {
        try (var transaction = neo4j.begin(60, TimeUnit.SECONDS)) {
            Map<Long, org.neo4j.graphdb.Node> nodes = new HashMap<>();
            LongStream.range(0, graph.nodeCount()).map(RandomGraph::id).sorted()
                    .forEach(id -> nodes.put(id, transaction.createNode()));
            for (RandomGraph.Edge edge : graph.edges()) {
                nodes.get(edge.start()).createRelationshipTo(
                        nodes.get(edge.end()), RelationshipType.withName(graph.relationTypes()[edge.type()]));
            }
            Map<Long, String> ids = new HashMap<>();
            nodes.forEach((id, node) -> ids.put(id, node.getElementId()));
            transaction.commit();
            return ids;
        }
    }

    private static List<String> triples(Neighbourhood found, Map<Long, String> ids) {
        return triples(
                Arrays.stream(found.nodes()).mapToObj(ids::get).toList(), List.of(found.relationTypes()),
                found.offsets(), found.targets(), found.types(), found.directions());
    }

    private static List<String> triples(Map<String, Object> row) {
        return triples(
                strings(row.get("nodes")), strings(row.get("relationTypes")),
                ints(row, "offsets"), ints(row, "targets"), ints(row, "types"), (byte[]) row.get("directions"));
    }

    private static List<String> strings(Object column) {
        return ((List<?>) column).stream().map(String.class::cast).toList();
    }

    private static List<String> triples(
            List<String> nodes, List<String> relations, int[] offsets, int[] targets, int[] types, byte[] directions) {
        List<String> triples = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            for (int entry = offsets[node]; entry < offsets[node + 1]; entry++) {
                String relation = relations.get(types[entry]);
                triples.add("%s %d %s %s".formatted(nodes.get(node), directions[entry], relation, nodes.get(targets[entry])));
            }
        }
        return triples.stream().sorted().toList();
    }
}
