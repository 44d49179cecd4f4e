package trellis.embedded;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.neo4j.io.ByteUnit;

/** What the command line says, and the password of the environment. */
record Options(Path data, int boltPort, Optional<String> password, long pageCacheBytes) {
    static final String USAGE =
            "usage: --data DIR [--bolt-port N (7687; 0: a free one)] [--page-cache SIZE (256m)]";

    /** Holds the password, since everybody on the machine sees a process's arguments; empty: none. */
    static final String PASSWORD_VARIABLE = "TRELLIS_NEO4J_PASSWORD";

    private static final int LEAST_PASSWORD_LENGTH = 8;

    static Options parse(Map<String, String> environment, String... arguments) {
        Path data = null;
        int boltPort = 7687;
        long pageCacheBytes = ByteUnit.mebiBytes(256);
        Iterator<String> words = Arrays.asList(arguments).iterator();
        while (words.hasNext()) {
            String option = words.next();
            switch (option) {
                case "--data" -> data = Path.of(value(option, words)).toAbsolutePath().normalize();
                case "--bolt-port" -> boltPort = port(value(option, words));
                case "--page-cache" -> pageCacheBytes = bytes(value(option, words));
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        if (data == null) {
            throw new IllegalArgumentException("--data is missing");
        }
        return new Options(data, boltPort, password(environment), pageCacheBytes);
    }

    private static String value(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return words.next();
    }

    private static int port(String text) {
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65_535) {
            throw new IllegalArgumentException("--bolt-port is '%s'; allowed: 0 to 65535".formatted(text));
        }
        return Integer.parseInt(text);
    }

    private static Optional<String> password(Map<String, String> environment) {
        String text = environment.getOrDefault(PASSWORD_VARIABLE, "");
        if (!text.isEmpty() && text.length() < LEAST_PASSWORD_LENGTH) {
            throw new IllegalArgumentException("the password is too short: at least 8 characters");
        }
        return Optional.of(text).filter(given -> !given.isEmpty());
    }

    private static long bytes(String text) {
        if (!text.matches("(?i)\\d{1,6}[kmg]")) {
            throw new IllegalArgumentException("--page-cache is '%s'; allowed: such as 256m or 2g".formatted(text));
        }
        return ByteUnit.parse(text);
    }
}
