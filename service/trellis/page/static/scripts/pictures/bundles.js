/** What the picture draws of the facts: values as words beside their nodes, one edge for facts that say the same of two nodes, and one
 *  node for many that differ in nothing but their names ("54 countries"). */

import { countOf } from "../words.js";

const MOST_SINGLE = 12; // nodes beside one another that are drawn one by one
const LEAST_BUNDLED = 3; // of one bundle, where others of their kind are bundled

/**
 * `facts` with `head`, `tail`, `relation`, and `index` in the list (undefined beside it); `opened`:
 * keys of the bundles that are drawn node by node.
 */
export function buildDrawing(facts, { topics, answers, opened }) {
  const edges = mergeFacts(facts.filter(({ tail }) => !tail.isValue));
  const nodes = collectNodes(facts, edges, topics, answers);
  for (const [key, members] of findBundles(nodes, edges, opened)) bundle(key, members, nodes, edges);
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

/** One edge for each relation between two nodes, whichever way it is said. */
function mergeFacts(facts) {
  const edges = new Map();
  for (const { head, tail, relation, index } of facts) {
    const back = edges.get(JSON.stringify([tail.id, relation, head.id]));
    const key = JSON.stringify([head.id, relation, tail.id]);
    const edge = back ?? edges.get(key) ?? { id: `edge ${key}`, source: head.id, target: tail.id, relation, facts: [] };
    if (back && head.id !== tail.id) edge.both = true;
    edge.facts.push(index);
    if (!back) edges.set(key, edge);
  }
  return edges;
}

function collectNodes(facts, edges, topics, answers) {
  const nodes = new Map();
  for (const { head, tail, relation, index } of facts) {
    for (const { id, name, labels, isValue } of [head, tail]) {
      const role = topics.includes(id) ? "topic" : answers.includes(id) ? "answer" : "";
      if (isValue || nodes.has(id)) continue;
      nodes.set(id, { id, name, role, kind: labels?.[0] ?? "", edges: [], values: [], facts: [] });
    }
    if (!tail.isValue) continue;
    nodes.get(head.id).values.push({ relation, name: tail.name });
    nodes.get(head.id).facts.push(index);
  }
  for (const edge of edges.values()) {
    for (const id of new Set([edge.source, edge.target])) nodes.get(id).edges.push(edge);
  }
  return nodes;
}

/** The nodes that hang on one other node by one edge, by what they have in common. */
function findBundles(nodes, edges, opened) {
  const bundles = new Map();
  for (const node of nodes.values()) {
    const [edge] = node.edges;
    if (node.edges.length !== 1 || node.role === "topic" || edge.source === edge.target) continue;
    const hub = edge.source === node.id ? edge.target : edge.source;
    if (nodes.get(hub).edges.length === 1) continue;
    const way = edge.both ? "both" : edge.source === hub ? "from" : "to";
    const key = JSON.stringify([hub, edge.relation, way, node.kind]);
    bundles.set(key, [...(bundles.get(key) ?? []), node]);
  }
  const kindOf = (key) => JSON.stringify(JSON.parse(key).slice(1));
  const large = [...bundles].filter(([, members]) => members.length > mostSingle(members));
  const kinds = new Set(large.map(([key]) => kindOf(key)));
  const isBundled = ([key, { length }]) => length >= LEAST_BUNDLED && kinds.has(kindOf(key));
  return [...bundles].filter((it) => isBundled(it) && !opened.has(it[0]));
}

/** How many nodes are drawn one by one; fewer of those that only stand around the facts. */
const mostSingle = (members) =>
  members.every((node) => node.edges[0].facts.every((index) => index === undefined))
    ? LEAST_BUNDLED
    : MOST_SINGLE;

function bundle(key, members, nodes, edges) {
  const [{ kind, edges: [first] }] = members;
  const id = `bundle ${key}`;
  const isSource = members[0].id === first.source;
  const ends = isSource ? { source: id } : { target: id };
  const facts = members.flatMap((node) => node.edges[0].facts);
  const edge = { ...first, ...ends, id: `edge ${id}`, facts };
  const gone = new Set(members.map((node) => node.edges[0]));
  for (const node of members) nodes.delete(node.id);
  for (const [at, old] of edges) if (gone.has(old)) edges.delete(at);
  const role = members.every((node) => node.role === "answer") ? "answer" : "";
  const name = countOf(members.length, kind);
  const told = members.flatMap((node) => node.facts);
  nodes.set(id, { id, name, role, kind, edges: [edge], values: [], facts: told, key, members });
  edges.set(id, edge);
  const hub = nodes.get(isSource ? edge.target : edge.source);
  hub.edges = [...hub.edges.filter((old) => !gone.has(old)), edge];
}
