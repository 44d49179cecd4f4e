/** Texts in the evidence: a passage as a quote, with its place, and inside the text around it. */

import { button, el, fill, nameOf } from "../dom.js";
import { postJson } from "../service.js";

const AROUND = 1500; // characters that are read before a passage, and behind it

/** A text as it stands in the evidence. Its places count characters, not JavaScript's units. */
export function readPassage({ value, key, node, length, start, said }) {
  const characters = [...value];
  const from = start ?? 0;
  return { text: value, characters, key, node, from, said, whole: length ?? characters.length };
}

/** Whether a passage is only a part of its text. */
export const isPart = ({ characters, whole }) => characters.length < whole;

/** A passage with the node and property that it is from, and its place. */
export function drawPassage({ head, relation, passage }) {
  const place = isPart(passage) ? `, ${tellPlace(passage)}` : "";
  return [
    el("p", { class: "source" }, nameOf(head.name), ", ", nameOf(relation, "said"), place),
    drawQuote(passage),
  ];
}

function tellPlace({ from, whole }) {
  return `starting at character ${from.toLocaleString("en")} of ${whole.toLocaleString("en")}`;
}

/** The text in quotation marks; words that the question says are marked. */
function drawQuote({ characters, from, said, whole }) {
  const before = from > 0 ? "…" : "";
  const after = from + characters.length < whole ? "…" : "";
  return el("blockquote", {}, `“${before}`, markPlaces(characters, said), `${after}”`);
}

function markPlaces(characters, places) {
  const cut = (start, end) => characters.slice(start, end).join("");
  const parts = [];
  let at = 0;
  for (const [start, end] of places) {
    parts.push(cut(at, start), el("mark", {}, cut(start, end)));
    at = end;
  }
  return el("bdi", {}, parts, cut(at));
}

/** Whether an answer is no node but words of a text. */
export function isQuote({ id, name }, { subgraph }) {
  return !id && (subgraph?.properties ?? []).some((it) => it.said && it.value === name);
}

/** A button that shows the chosen passage marked in the text around it. */
export class TextAround {
  #passage = null;

  constructor() {
    this.open = button("Show the text around it", () => this.#show());
    const label = "The passage in its text";
    this.text = el("div", { class: "around", role: "region", tabIndex: 0, aria: { label } });
    this.element = el("div", {}, this.open, this.text);
    this.choose(null);
  }

  /** The passage that is chosen, if any. */
  choose(passage) {
    this.#passage = passage && isPart(passage) ? passage : null;
    this.element.hidden = !this.#passage;
    this.open.hidden = false;
    this.text.hidden = true;
  }

  async #show() {
    const passage = this.#passage;
    const shown = await drawAround(passage).catch((problem) => [problem.message]);
    if (passage !== this.#passage) return;
    fill(this.text, ...shown);
    this.open.hidden = true;
    this.text.focus();
    this.text.querySelector("mark")?.scrollIntoView({ block: "nearest" });
  }
}

/** A passage inside the text around it, as the graph has it now. */
async function drawAround(passage) {
  const from = Math.max(0, passage.from - AROUND);
  const size = passage.from - from + passage.characters.length + AROUND;
  const query = `MATCH (n) WHERE elementId(n) = $node
    RETURN substring(n.${quoteName(passage.key)}, $from, $size) AS text`;
  const params = { node: passage.node, from, size };
  const { rows } = await postJson("cypher/run", { query, params });
  const text = rows[0]?.[0] ?? "";
  const at = text.indexOf(passage.text);
  if (at < 0) return ["The text has changed since the question was answered."];
  const behind = text.slice(at + passage.text.length);
  const ends = from + size >= passage.whole;
  return [
    from > 0 ? "…" : "",
    el("bdi", {}, text.slice(0, at), el("mark", {}, passage.text), behind),
    ends ? "" : "…",
  ];
}

const quoteName = (name) => `\`${name.replaceAll("`", "``")}\``;
