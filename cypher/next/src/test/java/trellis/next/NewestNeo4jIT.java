package trellis.next;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plugin's jar in a Neo4j 2026.x: its tests, in a second Java, because that Neo4j needs Java 21 or
 * later.
 */
class NewestNeo4jIT {
    private static final String NO_JAVA = "skipped: no JDK 21 or later is installed, which Neo4j 2026.x needs";

    @Test
    void thePluginsTestsPass(@TempDir Path folder) throws IOException, InterruptedException {
        Optional<Path> java = NewerJava.atLeast(21);
        if (java.isEmpty()) {
            System.out.println(NO_JAVA); // Maven shows that a test was skipped, but not why
        }
        assumeTrue(java.isPresent(), NO_JAVA);

        Path output = folder.resolve("output.txt");
        int status =
                new ProcessBuilder(command(java.get()))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start()
                        .waitFor();

        assertEquals(0, status, () -> read(output));
        System.out.println(summary(read(output)));
    }

    private static List<String> command(Path java) {
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx512m", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--add-modules", "jdk.incubator.vector"));
        command.addAll(List.of(System.getProperty("neo4j.jvm").split(" ")));
        command.add("-Dtrellis.plugin=" + System.getProperty("trellis.plugin"));
        command.addAll(List.of("-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"));
        command.addAll(List.of("--details=summary", "--disable-ansi-colors", "--fail-if-no-tests"));
        command.addAll(List.of("--select-class=trellis.trie.TrieProcTest", "--select-class=trellis.trie.DescriptionTest"));
        command.addAll(List.of("--select-class=trellis.schema.SchemaProcTest", "--select-class=trellis.gsd.GsdProcTest", "--select-class=trellis.trace.TraceProcTest"));
        command.add("--select-class=trellis.changes.ChangeProcTest");
        return command;
    }

    private static String summary(String output) {
        return "on the newest Neo4j: " + String.join(", ", output.lines()
                .filter(line -> line.matches(".*tests (successful|failed).*"))
                .map(line -> line.replaceAll("[\\[\\]]", "").strip())
                .toList());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
