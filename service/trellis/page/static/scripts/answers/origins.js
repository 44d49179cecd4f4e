/** What led to an answer: the methods, candidates, steps and notes. */

import { details, el, nameOf } from "../dom.js";
import { drawChoice } from "./opinions.js";
import { drawCandidates, drawMention } from "../progress.js";
import { duration } from "../words.js";

export function drawOrigins(answer) {
  return details(
    "How this was found",
    el("p", {}, "Method: ", nameOf(answer.method, "said")),
    ...(answer.chosen ? [el("h4", {}, "Methods asked"), ...drawChoice(answer.chosen)] : []),
    ...drawList("Names", answer.mentions?.length ? drawMentions(answer) : null),
    ...drawList("Readings that were tried", answer.candidates?.length ? drawCandidates(answer.candidates) : null),
    ...drawList("Time of each step", answer.steps?.length ? drawSteps(answer.steps) : null),
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
