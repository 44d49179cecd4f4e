package trellis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.exceptions.AuthenticationException;
import org.neo4j.driver.exceptions.Neo4jException;

/** The launcher as a process of its own. */
class LauncherIT {
    private static final String PASSWORD = "correct horse";

    @TempDir static Path folder;
    private static Launched neo4j;

    @BeforeAll
    static void start() throws IOException {
        neo4j = Launched.ready(folder.resolve("shared"));
    }

    @AfterAll
    static void stop() {
        neo4j.close();
    }

    @Test
    void saysWhereItListens() {
        assertTrue(neo4j.readyLine().matches("ready bolt://127\\.0\\.0\\.1:\\d+"), neo4j.readyLine());
    }

    @Test
    void servesTheProcedures() {
        var rows = neo4j.query("CREATE (n:Served {name: 'x'}) WITH elementId(n) AS id"
                + " CALL trellis.trie.neighbourhood([id], 1) YIELD names, levels RETURN names, levels");
        assertEquals("x", rows.get(0).get("names").get(0).asString());
        assertEquals(4, rows.get(0).get("levels").asByteArray().length);
    }

    @Test
    void buildsAndAsksIndexes() {
        neo4j.query("CREATE VECTOR INDEX vectors FOR (n:Indexed) ON n.vector OPTIONS"
                + " {indexConfig: {`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}");
        neo4j.query("CREATE FULLTEXT INDEX texts FOR (n:Indexed) ON EACH [n.name]");
        neo4j.query("CREATE (n:Indexed {name: 'Paris'}) WITH n CALL db.create.setNodeVectorProperty(n, 'vector', [1, 0])");
        neo4j.query("CALL db.awaitIndexes(60)");
        assertEquals(1, neo4j.query("CALL db.index.vector.queryNodes('vectors', 5, [1, 0]) YIELD node RETURN node").size());
        assertEquals(1, neo4j.query("CALL db.index.fulltext.queryNodes('texts', 'pariz~') YIELD node RETURN node").size());
    }

    @Test
    void readsNoFilesForLoadCsv() throws IOException {
        Path file = Files.writeString(folder.resolve("secret.csv"), "secret");
        var refused = assertThrows(Neo4jException.class,
                () -> neo4j.query("LOAD CSV FROM '" + file.toUri() + "' AS line RETURN line"));
        assertTrue(refused.getMessage().contains("allow_csv_import_from_file_urls"), refused.getMessage());
    }

    @Test
    void asksNoAddressForLoadCsv() throws IOException {
        var asked = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/lines.csv";
            assertThrows(Neo4jException.class,
                    () -> neo4j.query("LOAD CSV FROM '" + address + "' AS line RETURN line"));
            assertEquals(0, asked.get());
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dbms.listConfig()", "db.createLabel('x')", "dbms.killConnections([])", "db.clearQueryCaches()"})
    void runsNoProcedureThatIsNotAllowed(String call) {
        var refused = assertThrows(Neo4jException.class, () -> neo4j.query("CALL " + call));
        assertEquals("Neo.ClientError.Procedure.ProcedureNotFound", refused.code());
    }

    @Test
    void aTakenPortIsAnErrorOfOneLine() throws Exception {
        assertFails(1, "port " + neo4j.port() + " is taken",
                "--data", folder.resolve("other").toString(), "--bolt-port", neo4j.port());
    }

    @Test
    void aFolderInUseIsAnErrorOfOneLine() throws Exception {
        assertFails(1, "is in use by another Neo4j", "--data", folder.resolve("shared").toString(), "--bolt-port", "0");
    }

    @Test
    void aFolderThatCannotBeWrittenIsAnErrorOfOneLine() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "in the way");
        assertFails(1, "cannot write to the data folder", "--data", file.resolve("data").toString());
    }

    @Test
    void wrongUsageIsAnErrorOfOneLine() throws Exception {
        assertFails(2, "usage: ", "--nonsense");
    }

    @Test
    void nothingIsLostOnSigtermAndAPasswordIsKept() throws Exception {
        Path data = folder.resolve("durable");
        try (Launched first = Launched.ready(data)) {
            first.query("UNWIND range(1, 1000) AS i CREATE (:Kept {i: i})");
            assertEquals("", first.terminate(), "nothing but the ready line is said");
            assertEquals("", first.standardError());
        }
        for (int start = 0; start < 2; start++) {
            try (Launched again = Launched.readyWithPassword(PASSWORD, data)) {
                var token = AuthTokens.basic("neo4j", PASSWORD);
                assertEquals(1000, again.query(token, "MATCH (n:Kept) RETURN count(n) AS n").get(0).get("n").asInt());
                assertThrows(AuthenticationException.class, () -> again.query(AuthTokens.basic("neo4j", "neo4j"), "RETURN 1"));
                again.terminate();
            }
        }
    }

    private static void assertFails(int status, String reason, String... arguments) throws Exception {
        try (Launched failing = Launched.run(arguments)) {
            assertEquals(status, failing.awaitExit());
            String said = failing.standardError();
            assertEquals(1, said.lines().count(), said);
            assertTrue(said.contains(reason), said);
        }
    }
}
