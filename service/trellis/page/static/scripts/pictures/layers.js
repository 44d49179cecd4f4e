/** Where the nodes of the picture stand: in columns by their distance from what the question names,
 *  so that all reads from left to right and no label lies on another. */

/** Pixels of one column (what is more stands beside it) and between two, for the names of relations. */
const [WIDE, NARROW] = [{ most: 380, distance: 170 }, { most: 900, distance: 110 }];
const LINE = 18; // pixels of one line of a label
const GAP = 14; // between two labels
export const LABEL_WIDTH = 180;
const LETTER = 8; // pixels of a letter, and twice as many of a wide one

/**
 * The place of each node by its id: `x`, `y`, and the side of its label; and the size of all.
 * `nodes` have a `label` and `edges`; the nodes of `roots` stand leftmost. `isNarrow`: there is
 * more room below than beside.
 */
export function placeNodes(nodes, roots, isNarrow) {
  const { most, distance } = isNarrow ? NARROW : WIDE;
  const columns = splitColumns(orderColumns(findDepths(nodes, roots)), most);
  const heights = columns.map(({ nodes: column, side }) =>
    column.reduce((sum, node) => sum + heightOf(node, side), 0),
  );
  const height = Math.max(...heights);
  const places = new Map();
  let x = 0;
  for (const [at, { nodes: column, side, isFirst }] of columns.entries()) {
    if (at > 0) x += isFirst ? widthOf(columns[at - 1]) + distance + widthOf({ side, isLeft: true }) : LABEL_WIDTH + 24;
    const spare = (height - heights[at]) / column.length;
    let y = 0;
    for (const node of column) {
      const own = heightOf(node, side) + spare;
      places.set(node.id, { x, y: y + own / 2, side });
      y += own;
    }
  }
  return { places, height, width: x + 2 * LABEL_WIDTH };
}

/** How far the labels of a column reach beyond its nodes, on the right or on the left. */
function widthOf({ side, isLeft = false }) {
  if (side === "below") return LABEL_WIDTH / 2 - 20;
  return (side === "left") === isLeft ? LABEL_WIDTH : 0;
}

function heightOf({ label }, side) {
  const widths = label
    .split("\n")
    .map((line) => [...line].reduce((sum, it) => sum + (it > "\u2e7f" ? 2 * LETTER : LETTER), 0));
  const lines = widths.reduce((sum, width) => sum + Math.ceil(width / (LABEL_WIDTH - 2 * LETTER)), 0);
  return (lines + (side === "below" ? 1 : 0)) * LINE + GAP;
}

/** The nodes by their distance from the roots, nearest first; what none of them reaches begins at
 *  its first node. */
function findDepths(nodes, wanted) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const depths = new Map();
  const first = wanted.filter((id) => byId.has(id));
  for (const root of [...first, ...byId.keys()]) {
    if (depths.has(root)) continue;
    const queue = first.includes(root) ? [...first] : [root];
    for (const id of queue) depths.set(id, 0);
    for (const id of queue) {
      for (const { source, target } of byId.get(id).edges) {
        const next = source === id ? target : source;
        if (depths.has(next) || !byId.has(next)) continue;
        depths.set(next, depths.get(id) + 1);
        queue.push(next);
      }
    }
  }
  const columns = [];
  for (const [id, depth] of depths) (columns[depth] ??= []).push(byId.get(id));
  return columns;
}

/** Each column in the order of its nodes' neighbours in the column before, so that few edges cross. */
function orderColumns(columns) {
  let before = new Map(columns[0]?.map(({ id }, at) => [id, at]));
  return columns.map((column, depth) => {
    if (depth === 0) return column;
    const middle = ({ id, edges }) => {
      const ends = edges.map(({ source, target }) => before.get(source === id ? target : source));
      const known = ends.filter((at) => at !== undefined);
      return known.length ? known.reduce((sum, at) => sum + at, 0) / known.length : 0;
    };
    const ordered = [...column].sort((a, b) => middle(a) - middle(b));
    before = new Map(ordered.map(({ id }, at) => [id, at]));
    return ordered;
  });
}

/** Columns that are not high. The labels of the first stand left of its nodes and those of the last
 *  right, away from the edges. */
function splitColumns(columns, mostHeight) {
  return columns.flatMap((column, depth) => {
    const height = column.reduce((sum, node) => sum + heightOf(node, "right"), 0);
    const parts = Math.ceil(height / mostHeight);
    const most = Math.ceil(column.length / parts);
    const isLast = depth === columns.length - 1;
    const side = isLast || parts > 1 ? "right" : depth === 0 ? "left" : "below";
    return Array.from({ length: parts }, (_, part) => ({
      nodes: column.slice(part * most, (part + 1) * most),
      side,
      isFirst: part === 0,
    }));
  });
}
