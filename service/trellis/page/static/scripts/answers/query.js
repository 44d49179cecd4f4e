/** The query behind an answer: shown, copied, changed and run, and opened in Neo4j Browser. */

import { button, el, fill } from "../dom.js";
import { getPageSettings, postJson } from "../service.js";
import { copyText } from "./share.js";
import { drawTable } from "./table.js";
import { many } from "../words.js";

const MOST_FACTS = 200; // that a query for facts names
const PARAMETERS = /^:params (.*)\n+/;

export function drawQuery(answer) {
  const text = answer.cypher ? writeQuery(answer) : writeFactsQuery(answer);
  if (!text) return null;
  const code = el("pre", { class: "query", tabIndex: 0, hidden: !answer.cypher }, el("code", {}, text));
  const editor = drawEditor(text);
  const tell = (done) => {
    copy.textContent = document.getElementById("status").textContent = done;
  };
  const copy = button("Copy the query", () => copyQuery(editor, code, tell), {
    id: "copy-query",
    class: "quiet",
    aria: { keyshortcuts: "c" },
  });
  const edit = button("Edit and run", () => {
    code.hidden = edit.hidden = true;
    editor.hidden = false;
    editor.querySelector("textarea").focus();
  }, { id: "edit-query", class: "quiet" });
  const head = el("div", { class: "head" }, el("h3", {}, "Query"), copy, edit);
  addBrowserLink(head, () => editor.querySelector("textarea").value);
  const about = answer.cypher ? null : el("p", { class: "small" }, "This query reads the facts above from the graph.");
  return el("section", { class: "asked-query" }, head, about, code, editor);
}

function copyQuery(editor, code, tell) {
  const text = editor.querySelector("textarea").value;
  if (editor.hidden) code.hidden = false;
  return copyText(text, code, tell);
}

/** The query with its parameters, as Neo4j Browser takes them. */
function writeQuery({ cypher, params = {} }) {
  const given = Object.keys(params).length ? `:params ${JSON.stringify(params)}\n\n` : "";
  return `${given}${cypher}`;
}

/** A query for the facts of an answer that no query found; empty where it has none. */
function writeFactsQuery({ subgraph }) {
  const edges = (subgraph?.edges ?? []).slice(0, MOST_FACTS);
  if (!edges.length) return "";
  const facts = edges.map(({ source, type, target }) => [source, type, target]);
  return `:params ${JSON.stringify({ facts })}

UNWIND $facts AS fact
MATCH (a)-[r]->(b)
WHERE elementId(a) = fact[0] AND type(r) = fact[1] AND elementId(b) = fact[2]
RETURN a, r, b`;
}

function drawEditor(text) {
  const field = el("textarea", { id: "query", spellcheck: false, value: text });
  field.rows = Math.min(16, text.split("\n").length + 1);
  const told = el("p", { class: "small", role: "status" });
  const rows = el("div", { hidden: true });
  const form = el(
    "form",
    { hidden: true },
    el("label", { htmlFor: "query" }, "Cypher that only reads"),
    field,
    el("button", { type: "submit" }, "Run"),
    told,
    rows,
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    runQuery(field.value, rows, (said) => (told.textContent = said));
  };
  field.onkeydown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  };
  return form;
}

async function runQuery(text, element, tell) {
  fill(element);
  tell("Running…");
  try {
    const { columns, rows, cut } = await postJson("cypher/run", readQuery(text));
    const cells = rows.map((row) => row.map(typeCell));
    if (rows.length) fill(element, drawTable({ columns, rows: cells, answers: [] }));
    tell(`${many(rows.length, "row")}${cut ? `, cut by ${cut}` : ""}`);
  } catch (problem) {
    tell([problem.message, problem.remedy].filter(Boolean).join(". "));
  }
}

/** A query and its parameters of a text that may begin with `:params`. */
function readQuery(text) {
  const given = text.match(PARAMETERS)?.[1];
  const query = text.replace(PARAMETERS, "");
  if (given === undefined) return { query };
  try {
    return { query, params: JSON.parse(given) };
  } catch {
    throw new Error("What follows “:params” must be JSON on one line");
  }
}

/** A cell of a query that was run, as cells of answers are. */
function typeCell(cell) {
  if (Array.isArray(cell)) return cell.map(typeCell);
  if (cell === null || typeof cell !== "object") return cell;
  if (cell.labels && cell.id) return { ...cell, type: "node" };
  if (cell.head && cell.tail) return { ...cell, type: "relationship" };
  if (cell.nodes && cell.triples) return { ...cell, type: "path" };
  return { type: "map", entries: cell };
}

/** A link that opens the query in Neo4j Browser, where the service names one. */
async function addBrowserLink(head, readText) {
  const { neo4j_browser: address } = await getPageSettings().catch(() => ({}));
  if (!address) return;
  const link = el("a", { target: "_blank", rel: "noreferrer", id: "open-browser" }, "Open in Neo4j Browser");
  const aim = () => {
    link.href = `${address}?${new URLSearchParams({ cmd: "edit", arg: readText() })}`;
  };
  link.onpointerdown = link.onfocus = aim;
  aim();
  head.append(link);
}
