package trellis.embedded;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import org.neo4j.io.ByteUnit;

/** What the command line says. */
record Options(Path data, int boltPort, Optional<String> password, long pageCacheBytes) {
    static final String USAGE =
            "usage: --data DIR [--bolt-port N (7687; 0: a free one)] [--password P] [--page-cache SIZE (256m)]";

    private static final int LEAST_PASSWORD_LENGTH = 8;

    static Options parse(String... arguments) {
        Path data = null;
        int boltPort = 7687;
        Optional<String> password = Optional.empty();
        long pageCacheBytes = ByteUnit.mebiBytes(256);
        Iterator<String> words = Arrays.asList(arguments).iterator();
        while (words.hasNext()) {
            String option = words.next();
            switch (option) {
                case "--data" -> data = Path.of(value(option, words)).toAbsolutePath().normalize();
                case "--bolt-port" -> boltPort = port(value(option, words));
                case "--password" -> password = Optional.of(password(value(option, words)));
                case "--page-cache" -> pageCacheBytes = bytes(value(option, words));
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        if (data == null) {
            throw new IllegalArgumentException("--data is missing");
        }
        return new Options(data, boltPort, password, pageCacheBytes);
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

    private static String password(String text) {
        if (text.length() < LEAST_PASSWORD_LENGTH) {
            throw new IllegalArgumentException("--password is too short: at least 8 characters");
        }
        return text;
    }

    private static long bytes(String text) {
        if (!text.matches("(?i)\\d{1,6}[kmg]")) {
            throw new IllegalArgumentException("--page-cache is '%s'; allowed: such as 256m or 2g".formatted(text));
        }
        return ByteUnit.parse(text);
    }
}
