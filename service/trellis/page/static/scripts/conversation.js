/** The earlier questions of this sitting, to which a question may refer ("and of Uganda?"). */

const MOST_TURNS = 5;
const MOST_NAMES = 100; // of one turn, and the longest name, as the service takes them
const MOST_TOPICS = 20; // nodes that were chosen, of one turn
const LONGEST_NAME = 2_000;
const LONGEST = 80_000; // characters of all turns together
const byId = (id) => document.getElementById(id);
let turns = [];

export function prepareConversation() {
  byId("anew").onclick = () => {
    forgetTurns();
    byId("question").value = "";
    byId("question").focus();
  };
}

export function forgetTurns() {
  turns = [];
  show();
}

/** The turns that travel with a question, oldest first. */
export const listTurns = () => turns;

/** Remember an answer as the last turn. */
export function addTurn(answer) {
  turns = [...turns, describeTurn(answer)].slice(-MOST_TURNS);
  while (turns.length && JSON.stringify(turns).length > LONGEST) turns = turns.slice(1);
  show();
}

/** Begin at an answer that was given before. */
export function beginAt(answer) {
  turns = [];
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
  byId("follows-what").textContent = turns.at(-1)?.question ?? "";
}
