/** The answers that were given, latest first and day by day: searched, opened again, deleted. */

import { dayOf } from "./days.js";
import { button, el, nameOf } from "./dom.js";
import { writeAddress } from "./graphs.js";
import { deletePath, getJson } from "./service.js";
import { duration, shorten, timeOf } from "./words.js";

const MOST_NAMES = 5; // of one answer
const LONGEST = 200; // characters of a question or a name
const PAUSE = 250; // milliseconds between the last key and the search
const byId = (id) => document.getElementById(id);
const rows = byId("history-rows");
const older = byId("older");
let asked = 0; // counts the lists that were asked for; only the latest is shown
let pause = 0;

export function prepareHistory() {
  byId("history-search").onsubmit = (event) => event.preventDefault();
  byId("search").oninput = () => {
    clearTimeout(pause);
    pause = setTimeout(showHistory, PAUSE);
  };
  byId("delete-all").onclick = () => deleteAll();
}

export async function showHistory() {
  asked += 1;
  await addPage(null, asked);
}

async function addPage(before, number) {
  const query = byId("search").value.trim();
  const wanted = new URLSearchParams({ limit: 20, ...(query && { query }), ...(before && { before }) });
  try {
    const page = await getJson(`answers?${wanted}`);
    if (number !== asked) return;
    const held = rows.contains(document.activeElement) && document.activeElement.getAttribute("href");
    if (before === null) clear();
    for (const answer of page.answers) listOf(answer.asked_at).append(drawRow(answer));
    if (held && before === null) rows.querySelector(`a[href="${CSS.escape(held)}"]`)?.focus();
    if (!rows.children.length) tell(query ? "No question has these words." : "Nothing has been asked yet.");
    older.hidden = !page.next;
    older.onclick = () => addPage(page.next, number);
    byId("delete-all").hidden = query !== "" || !rows.children.length;
  } catch (problem) {
    if (number !== asked) return;
    if (before === null) clear();
    tellProblem(problem);
  }
}

function clear() {
  tell("");
  rows.replaceChildren();
  older.hidden = byId("delete-all").hidden = true;
}

/** The list of the day of a moment; days come in order. */
function listOf(moment) {
  const day = dayOf(moment);
  if (rows.lastElementChild?.dataset.day !== day) {
    const list = el("ul", { class: "rows" });
    rows.append(el("section", { data: { day } }, el("h2", {}, day), list));
  }
  return rows.lastElementChild.querySelector("ul");
}

function drawRow({ id, question, answers, abstained, asked_at, seconds, method }) {
  const names = answers.slice(0, MOST_NAMES).map((name) => shorten(name, LONGEST)).join(", ");
  const said = abstained ? "no answer in this graph" : names || "none";
  const rest = answers.length > MOST_NAMES ? ` and ${answers.length - MOST_NAMES} more` : "";
  const remove = button("Delete", () => deleteOne(id, row), {
    class: "quiet",
    aria: { label: `Delete “${shorten(question, LONGEST)}”` },
  });
  const row = el(
    "li",
    {},
    el("a", { href: writeAddress(id) }, nameOf(shorten(question, LONGEST), "said")),
    el("p", { class: abstained ? "faint" : "" }, nameOf(said), rest),
    el("p", { class: "small" }, `${timeOf(asked_at)} · ${method} · ${duration(seconds)}`, remove),
  );
  return row;
}

async function deleteOne(id, row) {
  try {
    await deletePath(`answers/${encodeURIComponent(id)}`);
    const next = (row.nextElementSibling ?? row.previousElementSibling)?.querySelector("a");
    const section = row.closest("section");
    row.remove();
    if (!section.querySelector("li")) section.remove();
    tell("Deleted.");
    (next ?? byId("search")).focus();
  } catch (problem) {
    tellProblem(problem);
  }
}

/** Delete all that was asked, once the button was pressed a second time. */
async function deleteAll() {
  const remove = byId("delete-all");
  if (!remove.dataset.sure) {
    remove.dataset.sure = "asked";
    remove.textContent = "Delete all of it? This cannot be undone";
    remove.onblur = calm;
    return;
  }
  calm();
  try {
    await deletePath("answers");
    await showHistory();
  } catch (problem) {
    tellProblem(problem);
  }
}

function calm() {
  delete byId("delete-all").dataset.sure;
  byId("delete-all").textContent = "Delete the whole history";
}

const tell = (text) => (byId("history-told").textContent = text);
const tellProblem = ({ message, remedy }) => tell([message, remedy].filter(Boolean).join(". "));
