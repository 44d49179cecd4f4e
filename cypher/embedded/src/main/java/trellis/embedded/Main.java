package trellis.embedded;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * Runs Neo4j in the foreground until SIGTERM or SIGINT; says one line, {@code ready bolt://…}, on
 * standard output. Exits 1 when Neo4j cannot start and 2 on wrong usage, with one line on standard
 * error.
 */
public final class Main {
    private Main() {}

    public static void main(String... arguments) throws InterruptedException {
        PrintStream standardOutput = System.out;
        System.setOut(System.err); // only the ready line goes there
        Options options = options(arguments);
        CompletableFuture<EmbeddedNeo4j> starting = new CompletableFuture<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(starting), "shutdown"));
        try {
            checkWritable(options.data());
            starting.complete(EmbeddedNeo4j.start(options));
        } catch (IOException | RuntimeException failure) {
            starting.completeExceptionally(failure);
            exit(1, StartFailure.explain(failure, options));
        }
        standardOutput.printf("ready bolt://%s:%d%n", EmbeddedNeo4j.HOST, starting.join().boltPort());
        standardOutput.flush();
        Thread.currentThread().join();
    }

    private static Options options(String... arguments) {
        try {
            return Options.parse(System.getenv(), arguments);
        } catch (IllegalArgumentException wrong) {
            exit(2, wrong.getMessage() + "; " + Options.USAGE);
            throw wrong;
        }
    }

    private static void checkWritable(Path data) throws IOException {
        try {
            Files.createDirectories(data);
            Files.delete(Files.createTempFile(data, "writable", null));
        } catch (IOException failure) {
            throw new DataFolderException(data, failure);
        }
    }

    /** Waits for a start that is under way, so that nothing is left half made. */
    private static void stop(CompletableFuture<EmbeddedNeo4j> starting) {
        starting.handle((neo4j, failure) -> neo4j).thenAccept(Main::close).join();
    }

    private static void close(EmbeddedNeo4j neo4j) {
        if (neo4j != null) {
            neo4j.close();
        }
    }

    private static void exit(int status, String message) {
        System.err.println("trellis neo4j: " + message);
        System.exit(status);
    }
}
