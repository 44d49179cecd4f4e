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
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-jar", System.getProperty("trellis.launcher")));
        command.addAll(List.of(arguments));
        return new Launched(new ProcessBuilder(command).start());
    }

    static Launched ready(Path data, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--data", data.toString(), "--bolt-port", "0"));
        arguments.addAll(List.of(more));
        Launched launched = run(arguments.toArray(String[]::new));
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
