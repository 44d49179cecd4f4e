package trellis.changes;

import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.kernel.extension.ExtensionFactory;
import org.neo4j.kernel.extension.ExtensionType;
import org.neo4j.kernel.extension.context.ExtensionContext;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.kernel.lifecycle.Lifecycle;
import org.neo4j.storageengine.api.TransactionIdStore;

/** Gives each database a watch; Neo4j finds it by {@code META-INF/services}. */
public final class ChangeExtension extends ExtensionFactory<ChangeExtension.Dependencies> {
    /** The parts of Neo4j that a watch uses. */
    public interface Dependencies {
        GraphDatabaseAPI database();

        DatabaseManagementService service();

        TransactionIdStore transactionIds();
    }

    public ChangeExtension() {
        super(ExtensionType.DATABASE, "trellis_changes");
    }

    @Override
    public Lifecycle newInstance(ExtensionContext context, Dependencies parts) {
        return new ChangeWatch(parts.database(), parts);
    }
}
