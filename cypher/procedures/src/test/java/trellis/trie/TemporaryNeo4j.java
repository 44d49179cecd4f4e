package trellis.trie;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.io.ByteUnit;
import org.neo4j.kernel.api.procedure.GlobalProcedures;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import trellis.changes.ChangeProc;
import trellis.gsd.GsdProc;
import trellis.schema.SchemaProc;
import trellis.trace.TraceProc;

/**
 * A real Neo4j in a folder of its own with our procedures: from the jar that the system property
 * {@code trellis.plugin} names, put into the plugins folder, or else from the class.
 */
public final class TemporaryNeo4j implements AutoCloseable {
    private final DatabaseManagementService service;
    private final GraphDatabaseService database;

    public TemporaryNeo4j(Path home) throws Exception {
        String plugin = System.getProperty("trellis.plugin");
        service =
                new DatabaseManagementServiceBuilder(home)
                        .setConfig(GraphDatabaseSettings.pagecache_memory, ByteUnit.mebiBytes(64))
                        .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
                        .setConfig(GraphDatabaseSettings.plugin_dir, plugins(home, plugin))
                        .build();
        database = service.database(GraphDatabaseSettings.DEFAULT_DATABASE_NAME);
        if (plugin == null) {
            GlobalProcedures procedures =
                    ((GraphDatabaseAPI) database).getDependencyResolver().resolveDependency(GlobalProcedures.class);
            procedures.registerProcedure(TrieProc.class);
            procedures.registerProcedure(SchemaProc.class);
            procedures.registerProcedure(GsdProc.class);
            procedures.registerProcedure(TraceProc.class);
            procedures.registerProcedure(ChangeProc.class);
        }
    }

    private static Path plugins(Path home, String plugin) throws IOException {
        Path folder = Files.createDirectories(home.resolve("plugins"));
        if (plugin != null) {
            Files.copy(Path.of(plugin), folder.resolve("trellis-procedures.jar"));
        }
        return folder;
    }

    public List<Map<String, Object>> rows(String query, Map<String, Object> parameters) {
        try (var transaction = database.beginTx()) {
            var rows = transaction.execute(query, parameters).stream().toList();
            transaction.commit();
            return rows;
        }
    }

    /** A transaction that ends by itself after some time. */
    public Transaction begin(long timeout, TimeUnit unit) {
        return database.beginTx(timeout, unit);
    }

    @Override
    public void close() {
        service.shutdown();
    }
}
