package trellis.next;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** Looks for a JDK of at least some version: the one that runs, JAVA_HOME variables, the usual folders. */
final class NewerJava {
    private NewerJava() {}

    static Optional<Path> atLeast(int version) {
        return homes()
                .filter(home -> Files.isExecutable(java(home)) && versionOf(home) >= version)
                .max(Comparator.comparingInt(NewerJava::versionOf))
                .map(NewerJava::java);
    }

    private static Stream<Path> homes() {
        Stream<Path> named =
                System.getenv().entrySet().stream()
                        .filter(variable -> variable.getKey().startsWith("JAVA_HOME"))
                        .map(Map.Entry::getValue)
                        .map(Path::of);
        Path user = Path.of(System.getProperty("user.home"));
        Stream<Path> installed =
                Stream.of(Path.of("/usr/lib/jvm"), Path.of("/usr/java"), Path.of("/opt"), user.resolve(".jdks"),
                                user.resolve(".sdkman/candidates/java"))
                        .flatMap(NewerJava::children);
        return Stream.of(Stream.of(Path.of(System.getProperty("java.home"))), named, installed).flatMap(homes -> homes);
    }

    private static Stream<Path> children(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.toList().stream();
        } catch (IOException unreadable) {
            return Stream.empty();
        }
    }

    private static Path java(Path home) {
        return home.resolve("bin").resolve("java");
    }

    /** From the file "release" that every JDK since 9 has; 0 where it says nothing. */
    private static int versionOf(Path home) {
        Path release = home.resolve("release");
        if (!Files.isReadable(release)) {
            return 0;
        }
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        String version = properties.getProperty("JAVA_VERSION", "0").replace("\"", "");
        return Integer.parseInt(version.split("[^0-9]")[0]);
    }
}
