/** An answer: what it says, how sure it is, the facts beside their picture, and what led there. */

import { drawChoices, drawOtherMeanings } from "../choices.js";
import { button, el, fill, nameOf } from "../dom.js";
import { drawFacts } from "./facts.js";
import { drawFeedback } from "./feedback.js";
import { isQuote } from "./passages.js";
import { drawOrigins } from "./origins.js";
import { drawQuery } from "./query.js";
import { drawActions } from "./share.js";
import { drawTable, hasTable, tellCut } from "./table.js";
import { countOf, joinNames, kindOf, labelWords, many, percent } from "../words.js";

const MOST_NAMES = 30;
const MOST_SENTENCES = 3; // that are written out below a single answer
const FEW = 6; // names that stand in one row

export function showAnswer(element, answer, note) {
  const parts = answer.claim === undefined ? drawAnswer(answer) : drawClaim(answer);
  const asked = el("p", { class: "asked" }, nameOf(answer.question ?? answer.claim, "said"));
  fill(element, asked, note ? el("p", { class: "small" }, note) : null, ...parts);
}

function drawAnswer(answer) {
  return [
    answer.abstained ? drawSilence(answer) : drawNames(answer),
    drawFacts(answer),
    drawQuery(answer),
    drawFeedback(answer),
    drawOrigins(answer),
  ];
}

/** What an answer says in a few words: `Nairobi`, `54 countries`, `Yes`. */
export function headlineOf(answer) {
  const { answers, columns = [], rows = [], total, count, verdict, wording } = answer;
  if (wording) return wording;
  if (verdict) return verdict;
  const more = joinNames(columns.slice(1).map((name) => `the ${name}`));
  if (hasTable(answer)) return `${countOf(total ?? rows.length, columns[0])}, with ${more}`;
  const kinds = new Set(answers.map(({ labels = [] }) => labels[0] ?? ""));
  const kind = (kinds.size === 1 ? [...kinds][0] : "") || (columns.length === 1 ? columns[0] : "");
  if (count !== undefined) return answers.length ? countOf(count, kind) : count.toLocaleString("en");
  if (!answers.length) return "None: nothing in this graph matches";
  return answers.length === 1 && !total ? answers[0].name : countOf(total ?? answers.length, kind);
}

function drawNames(answer) {
  const { answers, sentences = [], wording, verdict } = answer;
  const isNamed = answers.length === 1 && !answer.total && answer.count === undefined;
  const showsName = !hasTable(answer) && isNamed && !verdict && !wording;
  return el(
    "div",
    { class: "said-answer" },
    showsName
      ? el("h2", { class: "hidden" }, "Answer")
      : el("h2", { class: "verdict" }, nameOf(headlineOf(answer), "")),
    hasTable(answer) ? drawTable(answer) : drawNameList(answer),
    answers.length === 1 && sentences.length <= MOST_SENTENCES && sentences.length
      ? el("p", { class: "wording" }, nameOf(sentences.join(" ")))
      : null,
    drawReading(answer),
    el("div", { class: "foot" }, drawConfidence(answer.confidence), drawActions(answer)),
  );
}

function drawNameList(answer) {
  const { answers, total } = answer;
  if (!answers.length) return null;
  const kinds = new Set(answers.map(kindOf));
  const showsKind = answers.length === 1 || kinds.size > 1;
  const draw = (node) => (isQuote(node, answer) ? drawQuoted(node) : drawName(node, showsKind));
  const all = total ?? answers.length;
  const list = el("ul", { class: answers.length > FEW ? "names many" : "names" });
  const note = el("p", { class: "small", role: "status" });
  const show = (most) => {
    list.replaceChildren(...answers.slice(0, most).map(draw));
    more.hidden = most >= answers.length;
    note.textContent = list.children.length < all ? tellCut(list.children.length, all) : "";
  };
  const more = button(`Show all ${many(answers.length, "name")}`, () => show(answers.length));
  show(MOST_NAMES);
  return el("div", { class: "listed" }, list, more, note);
}

function drawName(node, showsKind) {
  const kind = node.distinction ?? (showsKind ? labelWords(kindOf(node)) : "");
  return el("li", {}, nameOf(node.name), kind ? el("span", { class: "kind" }, kind) : null);
}

/** An answer that is words of a text. */
function drawQuoted({ name }) {
  return el("li", {}, el("blockquote", { class: "name" }, "“", nameOf(name, ""), "”"));
}

function drawConfidence(confidence) {
  const meter = el("meter", { min: 0, max: 1, value: confidence, aria: { hidden: "true" } });
  return el("p", { class: "confidence" }, meter, `${percent(confidence)} confident`);
}

/** How the question was understood, and what was asked where it refers to earlier ones. */
function drawReading(answer) {
  const { reading, asked, abstained } = answer;
  const parts = [
    asked ? el("p", {}, "Asked as: ", nameOf(asked, "said")) : null,
    reading ? el("p", {}, abstained ? "Closest reading: " : "Understood as: ", nameOf(reading, "said")) : null,
    ...(abstained ? [] : drawOtherMeanings(answer)),
  ].filter(Boolean);
  return parts.length ? el("div", { class: "reading" }, parts) : null;
}

/** Why nothing is claimed, and what came nearest. */
function drawSilence(answer) {
  const { linked = [], answers = [] } = answer.nearest ?? {};
  const title = answer.held_back ? "What was found does not answer the question" : "No answer in this graph";
  const beside = (node) => labelWords(kindOf(node));
  return el(
    "div",
    { class: "said-answer" },
    el("h2", { class: "verdict" }, title),
    answer.held_back ? el("p", {}, nameOf(sentenceOf(answer.held_back), "said")) : null,
    drawChoices(answer),
    ...drawNearest("The nearest that was found", answers, beside),
    ...drawNearest("Names that were recognised", linked, beside),
    drawReading(answer),
    drawActions(answer),
  );
}

const sentenceOf = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

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
  supported: "Supported by the graph",
  refuted: "Contradicted by the graph",
  not_enough_evidence: "The graph does not say",
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
