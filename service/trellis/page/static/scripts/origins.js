/** What led to an answer: the query to copy, the methods, candidates, steps and notes. */

import { button, details, el, nameOf } from "./dom.js";
import { drawChoice } from "./opinions.js";
import { drawCandidates, drawMention } from "./progress.js";
import { duration } from "./words.js";

/** The query with its parameters, as Neo4j Browser takes them. */
function writeQuery({ cypher, params = {} }) {
  const given = Object.keys(params).length ? `:params ${JSON.stringify(params)}\n\n` : "";
  return `${given}${cypher}`;
}

export function drawQuery(answer) {
  if (!answer.cypher) return null;
  const text = writeQuery(answer);
  const code = el("pre", { class: "query", tabIndex: 0 }, el("code", {}, text));
  const tell = (done) => {
    copy.textContent = document.getElementById("status").textContent = done;
  };
  const copy = button("Copy the query", () => copyText(text, code, tell), {
    id: "copy-query",
    class: "quiet",
    aria: { keyshortcuts: "c" },
  });
  return el("section", {}, el("div", { class: "head" }, el("h3", {}, "Query"), copy), code);
}

/** Copy a text that stands in `shown`; where the browser does not allow that, select it there. */
async function copyText(text, shown, told) {
  try {
    await navigator.clipboard.writeText(text);
    told("Copied");
  } catch {
    getSelection().selectAllChildren(shown);
    told("Selected: copy it with Ctrl+C");
  }
}

export function drawOrigins(answer) {
  return details(
    "How it was found",
    el("p", {}, "Method ", nameOf(answer.method, "said")),
    ...(answer.chosen ? [el("h4", {}, "Methods asked"), ...drawChoice(answer.chosen)] : []),
    ...drawList("Names", answer.mentions?.length ? drawMentions(answer) : null),
    ...drawList("Candidates", answer.candidates?.length ? drawCandidates(answer.candidates) : null),
    ...drawList("Steps", answer.steps?.length ? drawSteps(answer.steps) : null),
    ...drawList("Notes", answer.notes?.length ? drawNotes(answer.notes) : null),
  );
}

function drawList(title, list) {
  return list ? [el("h4", {}, title), list] : [];
}

function drawMentions({ mentions }) {
  return el("ul", { class: "chips" }, mentions.map(drawMention));
}

function drawSteps(steps) {
  const items = steps.map(({ name, seconds }) => el("li", {}, `${name} ${duration(seconds)}`));
  return el("ul", { class: "chips" }, items);
}

function drawNotes(notes) {
  return el("ul", {}, notes.map((note) => el("li", {}, nameOf(note, "said"))));
}
