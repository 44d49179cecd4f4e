package trellis.embedded;

import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.neo4j.io.locker.FileLockException;

/** Why Neo4j did not start, in one line that says what to do. */
final class StartFailure {
    private StartFailure() {}

    static String explain(Throwable failure, Options options) {
        if (has(failure, FileLockException.class)) {
            return ("the data folder %s is in use by another Neo4j: stop that one, or name another folder"
                            + " with --data")
                    .formatted(options.data());
        }
        if (has(failure, BindException.class)) {
            return ("port %d is taken on %s: stop what listens there, or name another with --bolt-port"
                            + " (0: a free one)")
                    .formatted(options.boltPort(), EmbeddedNeo4j.HOST);
        }
        if (failure instanceof DataFolderException) {
            return failure.getMessage() + ": name another folder with --data";
        }
        return "Neo4j did not start: %s (more in %s)"
                .formatted(messages(failure), options.data().resolve("logs").resolve("debug.log"));
    }

    static String messages(Throwable failure) {
        return chain(failure).stream()
                .map(cause -> String.valueOf(cause.getMessage()).lines().findFirst().orElse(""))
                .distinct()
                .collect(Collectors.joining(": "));
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        return chain(failure).stream().anyMatch(kind::isInstance);
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable cause = failure; cause != null && chain.size() < 20; cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }
}
