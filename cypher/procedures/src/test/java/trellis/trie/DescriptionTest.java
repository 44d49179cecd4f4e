package trellis.trie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import trellis.changes.ChangeProc;
import trellis.gsd.GsdProc;
import trellis.schema.SchemaProc;
import trellis.trace.TraceProc;

/** Every procedure, argument and column says what it is. */
class DescriptionTest {
    private static final List<Class<?>> CLASSES = List.of(TrieProc.class, SchemaProc.class, GsdProc.class, TraceProc.class, ChangeProc.class);

    static Stream<Method> procedures() {
        return CLASSES.stream()
                .flatMap(owner -> Arrays.stream(owner.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Procedure.class));
    }

    @Test
    void thereAreProcedures() {
        assertEquals(6, procedures().count());
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void aProcedureIsDescribedAndOnlyReads(Method procedure) {
        assertFalse(procedure.getAnnotation(Description.class).value().isBlank());
        assertEquals(Mode.READ, procedure.getAnnotation(Procedure.class).mode());
        assertTrue(procedure.getAnnotation(Procedure.class).name().startsWith("trellis."));
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void everyArgumentIsDescribed(Method procedure) {
        for (Parameter argument : procedure.getParameters()) {
            Name name = argument.getAnnotation(Name.class);
            assertFalse(name.description().isBlank(), name.value());
        }
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void everyColumnIsDescribed(Method procedure) {
        var rows = (ParameterizedType) procedure.getGenericReturnType();
        for (Field column : ((Class<?>) rows.getActualTypeArguments()[0]).getDeclaredFields()) {
            if (!Modifier.isStatic(column.getModifiers())) {
                Description description = column.getAnnotation(Description.class);
                assertNotNull(description, column.getName());
                assertFalse(description.value().isBlank(), column.getName());
            }
        }
    }
}
