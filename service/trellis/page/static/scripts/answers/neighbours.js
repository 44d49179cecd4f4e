/** What the graph says of a node besides the facts of an answer. */

import { postJson } from "../service.js";

const MOST = 100; // facts that are added at once
const QUERY = `MATCH (n)-[r]-(other) WHERE elementId(n) = $node
  RETURN startNode(r) = n AS leads, type(r) AS relation, other
  ORDER BY relation, elementId(other) LIMIT ${MOST}`;

/** The facts about a node, as `readFacts` gives them, and whether there are more. */
export async function findNeighbours(node) {
  const { rows } = await postJson("cypher/run", { query: QUERY, params: { node: node.id } });
  const facts = rows.map(([leads, relation, other]) =>
    leads ? { head: node, relation, tail: other } : { head: other, relation, tail: node },
  );
  return { facts, isCut: rows.length === MOST };
}
