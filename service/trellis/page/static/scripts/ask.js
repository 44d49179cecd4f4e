/** Asking: the form, starter questions, and a question on its way to its answer. */

import { showAnswer } from "./answers/answer.js";
import { addTurn, beginAt, forgetTurns, listTurns } from "./conversation.js";
import { button, el, fill } from "./dom.js";
import { writeAddress } from "./graphs.js";
import { loadLibrary } from "./pictures/picture.js";
import { Progress } from "./progress.js";
import { getJson, streamQuestion } from "./service.js";
import { close as closeSuggestions, forgetSuggestions } from "./suggest.js";
import { many, moment, percent } from "./words.js";

const MOST_STARTERS = 6;
const byId = (id) => document.getElementById(id);
let running = null; // the AbortController of the question that is asked now
let shown = null; // the id of the answer on the page

export function prepareAsking() {
  byId("ask-form").onsubmit = (event) => {
    event.preventDefault();
    askQuestion(byId("question").value.trim());
  };
  byId("stop").onclick = stopAsking;
  byId("answer").addEventListener("choose", ({ detail }) =>
    askQuestion(detail.question, detail.topics),
  );
  byId("anew").onclick = askAnew;
}

/** Begin a conversation from nothing: neither a question nor an answer stays. */
function askAnew() {
  stopAsking();
  clear();
  location.hash = "#/ask";
  byId("starters").hidden = !byId("starters").querySelector("li");
  byId("question").focus();
}

function clear() {
  forgetTurns();
  shown = null;
  byId("question").value = "";
  for (const part of ["problem", "answer", "progress"]) fill(byId(part));
  tell("");
}

/** Begin with the graph that is asked from now on: nothing of another one stays. */
export function beginWithGraph() {
  stopAsking();
  clear();
  forgetSuggestions();
  listStarters().catch(() => {}); // the page works without them, and the first question tells why
  listMethods().catch(() => {});
}

async function listStarters() {
  const { starters } = await getJson("schema/examples");
  const chips = starters
    .slice(0, MOST_STARTERS)
    .map((question) => el("li", {}, button(question, () => askQuestion(question))));
  byId("starters").querySelector("ul").replaceChildren(...chips);
  byId("starters").hidden = chips.length === 0 || byId("question").value !== "";
}

async function listMethods() {
  const methods = await getJson("methods");
  const ready = methods.filter((method) => method.ready && !method.default);
  const choices = ready.map(({ name, about }) => el("option", { value: name, title: about }, name));
  byId("method").replaceChildren(el("option", { value: "" }, "automatic"), ...choices);
}

export function stopAsking() {
  running?.abort();
}

/** Ask, from `topics` where the asker chose them, and show what comes as it comes; a question that is on its way is stopped. */
export async function askQuestion(question, topics = []) {
  if (!question) return;
  stopAsking();
  const asking = (running = new AbortController());
  begin(question);
  try {
    const progress = new Progress(byId("progress"), tell);
    await streamQuestion(describe(question, topics), asking.signal, (name, data) => {
      if (name === "answer") finish(data);
      else progress.show(name, data);
    });
  } catch (error) {
    if (running === asking) fail(error);
  } finally {
    if (running === asking) end();
  }
}

function describe(question, topics) {
  const method = byId("method").value;
  const history = topics.length ? [] : listTurns(); // a choice needs no earlier questions
  return {
    question,
    ...(method && { method }),
    ...(topics.length && { topics }),
    ...(history.length && { history }),
  };
}

function begin(question) {
  byId("question").value = question;
  closeSuggestions();
  for (const part of ["problem", "answer", "progress"]) fill(byId(part));
  byId("starters").hidden = true;
  loadLibrary();
  setBusy(true);
  tell("Looking for names in the question");
}

function finish(answer) {
  fill(byId("progress"));
  present(answer);
  addTurn(answer);
  shown = answer.id;
  history.replaceState(null, "", writeAddress(answer.id));
  tell(summarise(answer));
  if (byId("ask-form").contains(document.activeElement)) byId("answer").focus();
}

function fail(error) {
  fill(byId("progress"));
  if (error.name === "AbortError") return tell("Stopped.");
  tell("");
  fill(byId("problem"), el("p", {}, error.message), el("p", { class: "small" }, error.remedy ?? ""));
  return undefined;
}

function end() {
  running = null;
  setBusy(false);
}

function setBusy(busy) {
  byId("send").hidden = busy;
  byId("stop").hidden = !busy;
  byId("ask").classList.toggle("busy", busy);
}

function tell(text) {
  byId("status").textContent = text;
}

/** What a screen reader says of an answer before it is read. */
function summarise(answer) {
  if (answer.abstained) return "No answer in this graph.";
  const found = answer.answers.length ? many(answer.answers.length, "answer") : "No answers";
  return `${answer.verdict ?? found}, ${percent(answer.confidence)} confident.`;
}

function present(answer, note) {
  showAnswer(byId("answer"), answer, note);
}

/** Show an answer that was given before. */
export async function showKeptAnswer(id) {
  if (id === shown) return;
  stopAsking();
  try {
    const answer = await getJson(`answers/${encodeURIComponent(id)}`);
    byId("question").value = answer.question ?? answer.claim;
    byId("starters").hidden = true;
    fill(byId("problem"));
    present(answer, answer.asked_at && `Asked on ${moment(answer.asked_at)}`);
    shown = id;
    if (answer.claim === undefined) beginAt(answer);
    tell(answer.claim === undefined ? summarise(answer) : "");
    byId("answer").focus();
  } catch (error) {
    fill(byId("answer"));
    fail(error);
  }
}
