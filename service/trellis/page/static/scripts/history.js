/** The answers that were given, latest first, each to be opened again. */

import { el, nameOf } from "./dom.js";
import { writeAddress } from "./graphs.js";
import { getJson } from "./service.js";
import { duration, moment } from "./words.js";

const rows = document.getElementById("history-rows");
const older = document.getElementById("older");

export async function showHistory() {
  rows.replaceChildren();
  await addPage("");
}

async function addPage(before) {
  try {
    const page = await getJson(`answers?limit=20${before}`);
    rows.append(...page.answers.map(drawRow));
    if (!rows.children.length) rows.append(el("li", {}, "Nothing has been asked yet."));
    older.hidden = !page.next;
    older.onclick = () => addPage(`&before=${page.next}`);
  } catch (error) {
    rows.append(el("li", { role: "alert" }, [error.message, error.remedy].join("; ")));
  }
}

function drawRow({ id, question, answers, abstained, asked_at, seconds, method }) {
  const said = abstained ? "not in this graph" : answers.slice(0, 5).join(", ") || "none";
  const rest = answers.length > 5 ? ` and ${answers.length - 5} more` : "";
  return el(
    "li",
    {},
    el("a", { href: writeAddress(id) }, nameOf(question, "said")),
    el("p", { class: abstained ? "faint" : "" }, nameOf(said), rest),
    el("p", { class: "small" }, `${moment(asked_at)} · ${method} · ${duration(seconds)}`),
  );
}
