/** The earlier questions of this sitting, to which a question may refer ("and of Uganda?"). */

import { headlineOf } from "./answers/answer.js";
import { el, nameOf } from "./dom.js";
import { writeAddress } from "./graphs.js";
import { shorten } from "./words.js";

const MOST_TURNS = 5;
const MOST_NAMES = 100; // of one turn, and the longest name, as the service takes them
const MOST_TOPICS = 20; // nodes that were chosen, of one turn
const LONGEST_NAME = 2_000;
const LONGEST = 80_000; // characters of all turns together
const LONGEST_SHOWN = 120; // characters of a question or an answer there
const MOST_SHOWN = 20; // earlier turns that stand above the question
const byId = (id) => document.getElementById(id);
let turns = [];
let thread = []; // the answers of this sitting, each with its question, headline and address

export function forgetTurns() {
  turns = [];
  thread = [];
  show();
}

/** The turns that travel with a question, oldest first. */
export const listTurns = () => turns;

/** Remember an answer as the last turn. */
export function addTurn(answer) {
  turns = [...turns, describeTurn(answer)].slice(-MOST_TURNS);
  const { id, question, abstained } = answer;
  const said = abstained ? "no answer" : headlineOf(answer);
  thread = [...thread.filter((it) => it.id !== id), { id, question, said, address: writeAddress(id) }];
  while (turns.length && JSON.stringify(turns).length > LONGEST) turns = turns.slice(1);
  show();
}

/** Begin at an answer that was given before. */
export function beginAt(answer) {
  turns = [];
  if (!thread.some(({ id }) => id === answer.id)) thread = [];
  addTurn(answer);
}

function describeTurn({ question, asked, answers, mentions = [], reading = "" }) {
  const names = answers.map(({ name }) => name).filter(({ length }) => length <= LONGEST_NAME);
  const links = mentions.flatMap(({ links }) => links);
  const topics = links.filter(({ how, id }) => how === "given" && id).map(({ id }) => id);
  return {
    question: asked ?? question,
    answers: names.slice(0, MOST_NAMES),
    reading,
    ...(topics.length && { topics: topics.slice(0, MOST_TOPICS) }),
  };
}

function show() {
  byId("follows").hidden = turns.length === 0;
  const earlier = thread.slice(0, -1).slice(-MOST_SHOWN);
  byId("thread").querySelector("ol").replaceChildren(...earlier.map(drawTurn));
  byId("thread").hidden = earlier.length === 0;
}

function drawTurn({ question, said, address }) {
  const link = el("a", { href: address }, nameOf(shorten(question, LONGEST_SHOWN), "said"));
  return el("li", {}, link, " ", nameOf(shorten(said, LONGEST_SHOWN), "small"));
}
