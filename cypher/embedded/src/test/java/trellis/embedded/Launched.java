package trellis.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.neo4j.driver.AuthToken;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Config;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.Record;

/** The launcher's jar, run as users run it. */
final class Launched implements AutoCloseable {
    private final Process process;
    private String readyLine;

    private Launched(Process process) {
        this.process = process;
    }

    static Launched run(String... arguments) throws IOException {
        return runWithPassword("", arguments);
    }

    private static Launched runWithPassword(String password, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-jar", System.getProperty("trellis.launcher")));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put(Options.PASSWORD_VARIABLE, password);
        return new Launched(builder.start());
    }

    static Launched ready(Path data) throws IOException {
        return readyWithPassword("", data);
    }

    static Launched readyWithPassword(String password, Path data) throws IOException {
        Launched launched = runWithPassword(password, "--data", data.toString(), "--bolt-port", "0");
        launched.readyLine = launched.process.inputReader().readLine();
        if (launched.readyLine == null) {
            throw new IOException("not ready: " + launched.standardError());
        }
        return launched;
    }

    String readyLine() {
        return readyLine;
    }

    String port() {
        return readyLine.substring(readyLine.lastIndexOf(':') + 1);
    }

    List<Record> query(String cypher) {
        return query(AuthTokens.none(), cypher);
    }

    List<Record> query(AuthToken token, String cypher) {
        Config quiet = Config.builder().withLogging(org.neo4j.driver.Logging.none()).build();
        try (Driver driver = GraphDatabase.driver(readyLine.substring("ready ".length()), token, quiet)) {
            return driver.executableQuery(cypher).execute().records();
        }
    }

    /** SIGTERM; then whatever else it said on standard output. */
    String terminate() throws IOException, InterruptedException {
        process.toHandle().destroy(); // leaves the streams open, unlike Process.destroy
        awaitExit();
        return process.inputReader().lines().collect(Collectors.joining("\n"));
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            throw new IllegalStateException("still running");
        }
        return process.exitValue();
    }

    String standardError() throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
