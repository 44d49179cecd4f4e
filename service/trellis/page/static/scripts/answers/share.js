/** An answer is taken along: as a link, as CSV, as JSON. */

import { button, el } from "../dom.js";
import { saveFile } from "./files.js";
import { writeAddress } from "../graphs.js";
import { getText } from "../service.js";

export function drawActions(answer) {
  const told = el("span", { class: "small", role: "status" });
  const tell = (text) => (told.textContent = text);
  const save = async (kind, write) => {
    try {
      saveFile(`answer.${kind}`, await write());
      tell(`Saved as answer.${kind}`);
    } catch (problem) {
      tell([problem.message, problem.remedy].filter(Boolean).join(". "));
    }
  };
  const quiet = { class: "quiet" };
  const files = [
    button("Download CSV", () => save("csv", () => readCsv(answer)), quiet),
    button("Download JSON", () => save("json", () => writeJson(answer)), quiet),
  ];
  const link = button("Copy link", () => copyText(linkOf(answer), told, tell), { ...quiet, id: "copy-link" });
  return el("p", { class: "export" }, link, answer.answers?.length ? files : null, told);
}

const linkOf = ({ id }) => new URL(writeAddress(id), location.href).href;

/** Copy a text that stands in `shown`; where the browser does not allow that, select it there. */
export async function copyText(text, shown, tell) {
  try {
    await navigator.clipboard.writeText(text);
    tell("Copied");
  } catch {
    if (!shown.textContent.includes(text)) shown.textContent = text;
    getSelection().selectAllChildren(shown);
    if (shown.role !== "status") tell("Selected. Copy it with Ctrl+C.");
  }
}

/** The CSV that the service writes; the mark before it tells spreadsheets that it is UTF-8. */
const readCsv = async ({ id }) =>
  `\ufeff${await getText(`answers/${encodeURIComponent(id)}`, "text/csv")}`;

function writeJson({ question, columns, rows, answers, total }) {
  const table = rows
    ? { columns, rows }
    : { columns: ["answer"], rows: answers.map(({ name }) => [name]) };
  return JSON.stringify({ question, ...table, ...(total && { total }) }, null, 1);
}
