/** What a name of a question may mean; choosing one is told to whoever listens for `choose`. */

import { button, el, nameOf } from "./dom.js";
import { kindOf, labelWords, shorten } from "./words.js";

const NEAR = 0.85; // share of the best link's score from which another is worth offering
const MOST_OTHERS = 4; // of one name
const LONGEST = 60; // characters of a name on a button

/** The nodes among which the service asks to choose. */
export function drawChoices({ choices = [], question, asked }) {
  if (!choices.length) return null;
  const items = choices.map(({ id, name, distinction }) =>
    drawChoice(name, distinction, { question: asked ?? question, topics: [id] }),
  );
  return el("ul", { class: "choices" }, items);
}

/** For each name of an answered question the other nodes that it may mean. */
export function drawOtherMeanings({ mentions = [], question, asked }) {
  const best = mentions.map(({ links = [] }) => links[0]);
  if (!best.every((link) => link?.id)) return [];
  return mentions.flatMap(({ text, links }, at) => {
    const others = links.slice(1).filter(({ id, score }) => id && score >= NEAR * best[at].score);
    if (!others.length) return [];
    const items = others.slice(0, MOST_OTHERS).map((node) => {
      const topics = best.map((link, place) => (place === at ? node.id : link.id));
      return drawChoice(node.name, labelWords(kindOf(node)), { question: asked ?? question, topics });
    });
    const told = el("span", {}, nameOf(`“${shorten(text, LONGEST)}”`, ""), " can also mean:");
    return [el("div", { class: "others" }, told, el("ul", { class: "choices" }, items))];
  });
}

function drawChoice(name, distinction, detail) {
  const choose = ({ target }) =>
    target.dispatchEvent(new CustomEvent("choose", { bubbles: true, detail }));
  const text = distinction ? `${shorten(name, LONGEST)} (${distinction})` : shorten(name, LONGEST);
  return el("li", {}, button(text, choose));
}
