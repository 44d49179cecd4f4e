package trellis.embedded;

import inet.ipaddr.IPAddressString;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseInternalSettings;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.connectors.ConnectorPortRegister;
import org.neo4j.configuration.connectors.ConnectorType;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.exceptions.KernelException;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.config.Setting;
import org.neo4j.internal.kernel.api.procs.ProcedureSignature;
import org.neo4j.internal.kernel.api.procs.QualifiedName;
import org.neo4j.io.ByteUnit;
import org.neo4j.kernel.api.QueryLanguage;
import org.neo4j.kernel.api.procedure.GlobalProcedures;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import trellis.changes.ChangeProc;
import trellis.gsd.GsdProc;
import trellis.schema.SchemaProc;
import trellis.trace.TraceProc;
import trellis.trie.TrieProc;

/** A running Neo4j with the procedures. */
final class EmbeddedNeo4j implements AutoCloseable {
    static final String HOST = "127.0.0.1";

    /** Ours, the index queries, and what drivers and browsers ask to find their way. */
    static final List<String> PROCEDURES =
            List.of(
                    "trellis.*",
                    "db.index.fulltext.queryNodes",
                    "db.index.fulltext.queryRelationships",
                    "db.index.vector.queryNodes",
                    "db.index.vector.queryRelationships",
                    "db.create.setNodeVectorProperty",
                    "db.awaitIndex",
                    "db.awaitIndexes",
                    "db.labels",
                    "db.relationshipTypes",
                    "db.propertyKeys",
                    "db.schema.*",
                    "db.info",
                    "db.ping",
                    "dbms.components",
                    "dbms.routing.getRoutingTable",
                    "dbms.cluster.routing.getRoutingTable",
                    "tx.setMetaData");

    private static final List<Class<?>> PROCEDURE_CLASSES = 
            List.of(TrieProc.class, SchemaProc.class, GsdProc.class, TraceProc.class, ChangeProc.class);

    /** Where LOAD CSV may not go: to no address at all. */
    private static final List<IPAddressString> NOWHERE =
            List.of(new IPAddressString("0.0.0.0/0"), new IPAddressString("::/0"));

    private final DatabaseManagementService service;

    private EmbeddedNeo4j(DatabaseManagementService service) {
        this.service = service;
    }

    static EmbeddedNeo4j start(Options options) {
        EmbeddedNeo4j neo4j =
                new EmbeddedNeo4j(
                        new DatabaseManagementServiceBuilder(options.data())
                                .setConfig(network(options))
                                .setConfig(limits(options))
                                .build());
        try {
            neo4j.register();
            options.password().ifPresent(neo4j::setPassword);
        } catch (KernelException | RuntimeException failure) {
            neo4j.close();
            throw new IllegalStateException(failure);
        }
        return neo4j;
    }

    private static Map<Setting<?>, Object> network(Options options) {
        return Map.of(
                BoltConnector.enabled, true,
                BoltConnector.listen_address, new SocketAddress(HOST, options.boltPort()),
                BoltConnector.advertised_address, new SocketAddress(HOST, options.boltPort()),
                BoltConnector.server_bolt_telemetry_enabled, false,
                GraphDatabaseSettings.udc_enabled, false,
                GraphDatabaseSettings.auth_enabled, options.password().isPresent());
    }

    private static Map<Setting<?>, Object> limits(Options options) {
        return Map.of(
                GraphDatabaseSettings.allow_file_urls, false,
                GraphDatabaseInternalSettings.cypher_ip_blocklist, NOWHERE,
                GraphDatabaseSettings.procedure_allowlist, PROCEDURES,
                GraphDatabaseInternalSettings.cypher_size_hint_parameters, false, // else a plan for each
                // magnitude of a list, and planning takes longer than our queries
                GraphDatabaseSettings.pagecache_memory, options.pageCacheBytes(),
                GraphDatabaseSettings.preallocate_logical_logs, false,
                GraphDatabaseSettings.logical_log_rotation_threshold, ByteUnit.mebiBytes(64),
                GraphDatabaseSettings.keep_logical_logs, "256M size",
                GraphDatabaseSettings.shutdown_transaction_end_timeout, Duration.ofSeconds(5),
                GraphDatabaseInternalSettings.netty_server_shutdown_quiet_period, 0); // else 10 s of waiting
    }

    /** Adds our procedures, and takes away Neo4j's own that the allow list lacks: it exempts those. */
    private void register() throws KernelException {
        GlobalProcedures procedures = resolve(GlobalProcedures.class);
        for (Class<?> owner : PROCEDURE_CLASSES) {
            procedures.registerProcedure(owner);
        }
        List<QualifiedName> refused =
                Arrays.stream(QueryLanguage.values())
                        .flatMap(procedures.getCurrentView()::getAllProcedures)
                        .map(ProcedureSignature::name)
                        .distinct()
                        .filter(name -> !isAllowed(name.toString()))
                        .toList();
        refused.forEach(procedures::unregister);
    }

    private static boolean isAllowed(String name) {
        return PROCEDURES.stream()
                .anyMatch(allowed -> allowed.endsWith("*")
                        ? name.startsWith(allowed.substring(0, allowed.length() - 1))
                        : name.equals(allowed));
    }

    /** The same password as before is what was wished, though Neo4j calls it an error. */
    private void setPassword(String password) {
        GraphDatabaseService system = service.database(GraphDatabaseSettings.SYSTEM_DATABASE_NAME);
        try {
            system.executeTransactionally(
                    "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
        } catch (RuntimeException refused) {
            if (!StartFailure.messages(refused).contains("cannot be the same")) {
                throw refused;
            }
        }
    }

    private GraphDatabaseService database() {
        return service.database(GraphDatabaseSettings.DEFAULT_DATABASE_NAME);
    }

    private <T> T resolve(Class<T> part) {
        return ((GraphDatabaseAPI) database()).getDependencyResolver().resolveDependency(part);
    }

    int boltPort() {
        return resolve(ConnectorPortRegister.class).getLocalAddress(ConnectorType.BOLT).getPort();
    }

    @Override
    public void close() {
        service.shutdown();
    }
}
