package trellis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    @Test
    void theDefaults() {
        Options options = Options.parse(Map.of(), "--data", "graph");
        assertTrue(options.data().isAbsolute());
        assertEquals(7687, options.boltPort());
        assertEquals(Optional.empty(), options.password());
        assertEquals(256L << 20, options.pageCacheBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "--data", "--data d --port 1", "--data d --bolt-port -1", "--data d --bolt-port 65536",
        "--data d --password secretive", "--data d --page-cache 12", "--data d --page-cache lots"})
    void wrongUsageIsRefused(String line) {
        String[] arguments = line.isEmpty() ? new String[0] : line.split(" ");
        assertThrows(IllegalArgumentException.class, () -> Options.parse(Map.of(), arguments));
    }

    @Test
    void thePasswordStandsInTheEnvironment() {
        assertEquals(Optional.of("secretive"), withPassword("secretive").password());
        assertEquals(Optional.empty(), withPassword("").password());
        var refused = assertThrows(IllegalArgumentException.class, () -> withPassword("short"));
        assertTrue(refused.getMessage().contains("8 characters"), refused.getMessage());
    }

    private static Options withPassword(String password) {
        return Options.parse(Map.of(Options.PASSWORD_VARIABLE, password), "--data", "graph");
    }
}
