/** Cells of an answer's rows: how each is shown, and which of two comes first. */

import { nameOf } from "../dom.js";

const LONGEST = 300; // characters of a text
const MOST_PARTS = 10; // of a list
const PLAIN_NUMBERS = /\b(year|id|code|number plate|zip|postcode)\b/i;

export const isNumber = (cell) => typeof cell === "number";

/** A cell as an element; what is cut stands whole in its title. */
export function cellOf(cell, column) {
  const text = writeCell(cell, column);
  const shown = nameOf(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text, "");
  if (text.length > LONGEST) shown.title = text;
  return shown;
}

function writeCell(cell, column) {
  if (cell === null || cell === undefined) return "";
  if (isNumber(cell)) return writeNumber(cell, column);
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell === "string") return cell;
  if (Array.isArray(cell)) return writeList(cell, column);
  return WRITERS[cell.type]?.(cell) ?? String(cell.value ?? cell.name ?? JSON.stringify(cell));
}

/** Grouped by thousands, unless it is a year or the like. */
function writeNumber(number, column) {
  if (PLAIN_NUMBERS.test(column)) return String(number);
  const digits = Math.abs(number) < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 };
  return number.toLocaleString("en", digits);
}

function writeList(cells, column) {
  const parts = cells.slice(0, MOST_PARTS).map((part) => writeCell(part, column));
  const more = cells.length - MOST_PARTS;
  return [...parts, ...(more > 0 ? [`and ${more.toLocaleString("en")} more`] : [])].join(", ");
}

const WRITERS = {
  node: ({ name, distinction }) => (distinction ? `${name} (${distinction})` : name),
  relationship: ({ head, relation, tail }) => `${head.name} → ${relation} → ${tail.name}`,
  path: ({ nodes }) => nodes.map(({ name }) => name).join(" … "),
  point: writePoint,
  map: ({ entries }) =>
    Object.entries(entries)
      .map(([key, part]) => `${key}: ${writeCell(part, key)}`)
      .join("; "),
};

const GEOGRAPHIC = [4326, 4979]; // coordinate systems whose x is the longitude

function writePoint({ srid, x, y, z }) {
  const axes = GEOGRAPHIC.includes(srid) ? [y, x, z] : [x, y, z];
  return axes.filter((axis) => axis !== undefined).join(", ");
}

/** The order of two cells, times `sign`; those without a value come last in either order. */
export function compareCells(one, other, sign) {
  const [a, b] = [one, other].map((cell) => (isNumber(cell) ? cell : writeCell(cell, "")));
  if (a === "" || b === "") return (a === "") - (b === "");
  if (isNumber(a) && isNumber(b)) return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}
