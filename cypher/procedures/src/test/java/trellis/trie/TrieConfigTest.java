package trellis.trie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrieConfigTest {
    @Test
    void theDefaults() {
        TrieConfig config = TrieConfig.forPaths(Map.of());
        assertEquals(200_000, config.edgeBudget());
        assertEquals(10_000, config.limit());
        assertEquals(Revisit.SIMPLE, config.revisit());
        assertEquals(List.of("_trellis_name", "name", "title"), config.nameProperties());
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(Map.of("budget", 1L), "config.budget is unknown; allowed: edgeBudget, excludeLabels, excludeTypes, limit, nameProperties, names, relationTypes, revisit"),
                Arguments.of(Map.of("edgeBudget", -1L), "config.edgeBudget is -1; allowed: a whole number from 0 to 50000000"),
                Arguments.of(Map.of("edgeBudget", "many"), "config.edgeBudget is 'many'; allowed: a whole number from 0 to 50000000"),
                Arguments.of(Map.of("edgeBudget", 1.5), "config.edgeBudget is 1.5; allowed: a whole number from 0 to 50000000"),
                Arguments.of(Map.of("limit", -2L), "config.limit is -2; allowed: a whole number from 0 up"),
                Arguments.of(Map.of("names", "yes"), "config.names is 'yes'; allowed: true or false"),
                Arguments.of(Map.of("excludeTypes", "KNOWS"), "config.excludeTypes is 'KNOWS'; allowed: a list of strings"),
                Arguments.of(Map.of("relationTypes", List.of(1L)), "config.relationTypes is [1]; allowed: a list of strings"),
                Arguments.of(Map.of("revisit", "never"), "config.revisit is 'never'; allowed: any, not_topic, simple"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatIsWrongIsRefusedWithWhatIsAllowed(Map<String, Object> config, String message) {
        var refused = assertThrows(IllegalArgumentException.class, () -> TrieConfig.forPaths(config));
        assertEquals(message, refused.getMessage());
    }

    @Test
    void theNeighbourhoodTakesNoPathSettings() {
        assertThrows(IllegalArgumentException.class, () -> TrieConfig.forNeighbourhood(Map.of("limit", 5L)));
    }

    @Test
    void hopsAreFew() {
        assertEquals(8, TrieConfig.hops(8L));
        for (Long hops : new Long[] {-1L, 9L, null}) {
            assertThrows(IllegalArgumentException.class, () -> TrieConfig.hops(hops));
        }
    }
}
