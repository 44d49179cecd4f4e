/** The evidence as a graph: facts with their nodes, the topics, and parts that are not too large. */

import { readPassage } from "../answers/passages.js";

const MOST_NODES = 50;

/**
 * The facts of an answer; each has its nodes by id, so that two nodes of one name stay two. The tail
 * of a property is its value, and where that is a text, `passage` is it.
 */
export function readFacts({ evidence = [], sentences = [], subgraph }) {
  const nodes = new Map((subgraph?.nodes ?? []).map((node) => [node.id, node]));
  const edges = new Map((subgraph?.edges ?? []).map((edge, at) => [edge.fact ?? at, edge]));
  const values = new Map((subgraph?.properties ?? []).map((each) => [each.fact, each]));
  return evidence.map(([head, relation, tail], index) => {
    const value = values.get(index);
    const edge = edges.get(index);
    return {
      head: nodes.get(value?.node ?? edge?.source) ?? { id: head, name: head, labels: [] },
      tail: value
        ? { id: `${value.node} ${relation}`, name: writeValue(value), labels: [], isValue: true }
        : (nodes.get(edge?.target) ?? { id: tail, name: tail, labels: [] }),
      index,
      relation,
      passage: value?.said ? readPassage(value) : null,
      sentence: sentences[index] ?? `${head} ${relation} ${tail}`,
    };
  });
}

/** A value as text; of one that is cut, how long it is. */
function writeValue({ value, length }) {
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  if (length === undefined || length === null) return text;
  const unit = Array.isArray(value) ? "items" : "characters";
  return `${text}… (cut: ${length.toLocaleString("en")} ${unit} in all)`;
}

/** The ids of the nodes that the question named. */
export function findTopics(facts, { mentions = [] }) {
  const links = mentions.flatMap((mention) => mention.links ?? mention.nodes ?? []);
  const ids = new Set(links.map(({ id }) => id));
  const names = new Set(links.filter(({ id }) => !id).map(({ name }) => name));
  const ends = facts.flatMap(({ head, tail }) => [head, tail]);
  const topics = ends.filter(({ id, name }) => ids.has(id) || names.has(name)).map(({ id }) => id);
  return [...new Set(topics)];
}

/** The facts in parts, in order; each part brings at most 50 nodes that no part before it has. */
export function cutIntoParts(facts, most = MOST_NODES) {
  const parts = [[]];
  const seen = new Set();
  let fresh = 0;
  for (const fact of facts) {
    const added = [...new Set([fact.head.id, fact.tail.id])].filter((id) => !seen.has(id));
    if (fresh + added.length > most) {
      parts.push([]);
      fresh = 0;
    }
    for (const id of added) seen.add(id);
    fresh += added.length;
    parts.at(-1).push(fact);
  }
  return parts;
}
