package trellis.trie;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;

/** One call of a procedure: the neighbourhood found, and how its rows are worded. */
record TrieCall(
        StoredGraph graph, TerminationGuard guard, TrieConfig config, int hops, Neighbourhood found, List<String> missing) {

    static TrieCall of(
            Transaction transaction, TerminationGuard guard, List<String> anchorIds, Long hops, TrieConfig config) {
        List<String> ids = Arguments.texts("anchorIds", anchorIds);
        int levels = TrieConfig.hops(hops);
        StoredGraph graph = new StoredGraph(transaction, guard, config);
        List<String> missing = new ArrayList<>();
        long[] anchors = graph.find(ids, missing);
        Neighbourhood found = NeighbourhoodSearch.run(graph, anchors, levels, config.edgeBudget());
        return new TrieCall(graph, guard, config, levels, found, missing);
    }

    NeighbourhoodRow row() {
        NodeTexts texts = new NodeTexts(graph, found.nodes(), new Naming(config.nameProperties()));
        List<String> ids = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int node = 0; node < found.nodes().length; node++) {
            guard.check();
            ids.add(texts.id(node));
            if (config.names()) {
                names.add(texts.name(node));
            }
        }
        return new NeighbourhoodRow(
                ids,
                NeighbourhoodRow.packed(found.levels()),
                names,
                Arrays.asList(found.relationTypes()),
                NeighbourhoodRow.packed(found.offsets()),
                NeighbourhoodRow.packed(found.targets()),
                NeighbourhoodRow.packed(found.types()),
                found.directions(),
                LongStream.range(0, found.anchors()).boxed().toList(),
                missing,
                (long) found.targets().length,
                found.cutNodes() > 0,
                found.cuts().stream().map(cut -> described(cut, ids)).toList(),
                (long) found.cutNodes());
    }

    private static Map<String, Object> described(Cut cut, List<String> ids) {
        return Map.of(
                "node", ids.get(cut.node()),
                "relationType", cut.relationType(),
                "direction", cut.direction() == Adjacency.OUT ? "OUT" : "IN",
                "kept", (long) cut.kept(),
                "total", (long) cut.total());
    }

    Stream<PathRow> paths() {
        PathSearch search = new PathSearch(found, hops, config.revisit(), guard::check);
        NodeTexts texts = new NodeTexts(graph, found.nodes(), new Naming(config.nameProperties()));
        var paths = Spliterators.spliteratorUnknownSize(search, Spliterator.ORDERED | Spliterator.NONNULL);
        return StreamSupport.stream(paths, false)
                .limit(config.limit())
                .map(path -> row(path, texts));
    }

    private PathRow row(Path path, NodeTexts texts) {
        List<String> relations = new ArrayList<>();
        StringBuilder text = new StringBuilder(shown(path.nodes()[0], texts));
        for (int step = 0; step < path.length(); step++) {
            int entry = path.entries()[step];
            String type = found.relationTypes()[found.types()[entry]];
            boolean forward = found.directions()[entry] == Adjacency.OUT;
            String arrow = forward ? " -> " : " <- ";
            relations.add(forward ? type : "^" + type);
            text.append(arrow).append(type).append(arrow).append(shown(path.nodes()[step + 1], texts));
        }
        List<String> ids = Arrays.stream(path.nodes()).mapToObj(texts::id).toList();
        List<String> names = config.names() ? Arrays.stream(path.nodes()).mapToObj(texts::name).toList() : List.of();
        return new PathRow(ids.get(0), ids, names, relations, (long) path.length(), text.toString());
    }

    private String shown(int node, NodeTexts texts) {
        String name = config.names() ? texts.name(node) : "";
        return name.isEmpty() ? texts.id(node) : name;
    }
}
