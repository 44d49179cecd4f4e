/** An answer: what it says, how sure it is, the facts beside their picture, and what led there. */

import { button, el, fill, nameOf } from "./dom.js";
import { drawFacts } from "./facts.js";
import { drawFeedback } from "./feedback.js";
import { isQuote } from "./passages.js";
import { drawOrigins, drawQuery } from "./origins.js";
import { drawExport, drawTable, hasTable, tellCut } from "./table.js";
import { kindOf, percent } from "./words.js";

const MOST_NAMES = 30;

export function showAnswer(element, answer, note) {
  const parts = answer.claim === undefined ? drawAnswer(answer) : drawClaim(answer);
  fill(element, note ? el("p", { class: "small" }, note) : null, ...parts);
}

function drawAnswer(answer) {
  return [
    answer.abstained ? drawSilence(answer) : drawNames(answer),
    drawReading(answer),
    drawFacts(answer),
    drawQuery(answer),
    drawFeedback(answer),
    drawOrigins(answer),
  ];
}

function drawNames(answer) {
  const heading = el("h2", { class: "hidden" }, "Answer");
  const said = answer.verdict ?? answer.count?.toLocaleString("en");
  const isEmpty = !said && !answer.answers.length && !answer.wording;
  const none = isEmpty ? "None: nothing in this graph matches" : null;
  return el(
    "div",
    { class: "said-answer" },
    heading,
    said || none ? el("p", { class: "verdict" }, said ?? none) : null,
    hasTable(answer) ? drawTable(answer) : drawNameList(answer),
    answer.wording ? el("p", { class: "wording" }, nameOf(answer.wording)) : null,
    hasTable(answer) || answer.answers.length > 1 ? drawExport(answer) : null,
    drawConfidence(answer.confidence),
  );
}

function drawNameList(answer) {
  const { answers, total } = answer;
  const draw = (node) => (isQuote(node, answer) ? drawQuoted(node) : drawName(node));
  const names = answers.slice(0, MOST_NAMES).map(draw);
  const all = total ?? answers.length;
  if (names.length < all) names.push(el("li", { class: "small" }, tellCut(names.length, all)));
  return names.length ? el("ul", { class: "names" }, names) : null;
}

function drawName(node) {
  const kind = node.distinction ?? kindOf(node);
  return el("li", {}, nameOf(node.name), kind ? el("span", { class: "kind" }, kind) : null);
}

/** An answer that is words of a text. */
function drawQuoted({ name }) {
  return el("li", {}, el("blockquote", { class: "name" }, "“", nameOf(name, ""), "”"));
}

function drawConfidence(confidence) {
  const meter = el("meter", { min: 0, max: 1, value: confidence, aria: { hidden: "true" } });
  return el("p", { class: "confidence" }, meter, `${percent(confidence)} sure`);
}

/** How the question was understood, and what was asked where it refers to earlier ones. */
function drawReading({ reading, asked }) {
  const parts = [];
  if (asked) parts.push("asked as: ", nameOf(asked, "said"), el("br"));
  if (reading) parts.push("understood as: ", nameOf(reading, "said"));
  return parts.length ? el("p", { class: "reading" }, parts) : null;
}

/** Why nothing is claimed, and what came nearest. */
function drawSilence(answer) {
  const { linked = [], answers = [] } = answer.nearest ?? {};
  return el(
    "div",
    { class: "said-answer" },
    el("h2", { class: "verdict" }, answer.held_back ? "Held back" : "Not in this graph"),
    answer.held_back ? el("p", {}, nameOf(answer.held_back, "said")) : null,
    drawChoices(answer),
    ...drawNearest("What came nearest", answers, (node) => `${kindOf(node)} ${percent(node.score)}`),
    ...drawNearest("Names were taken for", linked, kindOf),
  );
}

/** The nodes that a name may mean; choosing one is told to whoever listens for `choose`. */
function drawChoices({ choices = [], question, asked }) {
  if (!choices.length) return null;
  const items = choices.map(({ id, name, distinction }) => {
    const choose = ({ target }) => {
      const detail = { question: asked ?? question, topics: [id] };
      target.dispatchEvent(new CustomEvent("choose", { bubbles: true, detail }));
    };
    return el("li", {}, button(`${name} (${distinction})`, choose));
  });
  return el("ul", { class: "choices" }, items);
}

function drawNearest(title, nodes, beside) {
  if (!nodes.length) return [];
  const items = nodes.map((node) =>
    el(
      "li",
      {},
      nameOf(node.name),
      el("span", { class: "kind" }, beside(node)),
      node.excerpt ? el("p", { class: "excerpt" }, `“${node.excerpt}”`) : null,
    ),
  );
  return [el("h3", { class: "small" }, title), el("ul", { class: "nearest" }, items)];
}

const VERDICTS = {
  supported: "Supported",
  refuted: "Refuted",
  not_enough_evidence: "Not enough evidence",
};

/** A claim that was verified, from the history. */
function drawClaim(claim) {
  return [
    el("h2", { class: "verdict" }, VERDICTS[claim.verdict] ?? claim.verdict),
    drawConfidence(claim.confidence),
    drawReading(claim),
    drawFacts({ ...claim, answers: [] }),
    drawFeedback(claim),
  ];
}
