/** Names and kinds of the graph that complete what is being typed. */

import { el, nameOf } from "./dom.js";
import { getJson } from "./service.js";
import { labelWords, shorten } from "./words.js";

const LEAST = 2; // letters of what is completed
const MOST = 6; // suggestions
const MOST_WORDS = 4; // of the name that is being typed
const PAUSE = 150; // milliseconds between the last key and the look-up
const field = document.getElementById("question");
const list = document.getElementById("suggestions");
let kinds = null; // a promise of the words for the kinds of nodes
let asked = 0;
let pause = 0;
let chosen = -1;

export function prepareSuggestions() {
  field.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(suggest, PAUSE);
  });
  field.addEventListener("keydown", walk);
  field.addEventListener("blur", close);
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // the field keeps the focus
    const item = event.target.closest("li");
    if (item) take(item);
  });
}

/** Another graph is asked from now on. */
export function forgetSuggestions() {
  kinds = null;
  close();
}

export function close() {
  asked += 1;
  clearTimeout(pause);
  chosen = -1;
  list.hidden = true;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
}

async function suggest() {
  close();
  const number = asked;
  const before = field.value.slice(0, field.selectionStart);
  const found = await find(before).catch(() => []);
  if (number !== asked || document.activeElement !== field || !found.length) return;
  list.replaceChildren(...found.map(drawItem));
  list.hidden = false;
  field.setAttribute("aria-expanded", "true");
}

/** What completes the last words before the caret: as many of them as any name begins with. */
async function find(before) {
  const words = before.match(/\S+/g) ?? [];
  if (/\s$/.test(before)) return [];
  const last = words.at(-1) ?? "";
  if (last.length < LEAST) return [];
  for (let count = Math.min(MOST_WORDS, words.length); count > 0; count -= 1) {
    const start = words.slice(-count).join(" ");
    if (count > 1 && !/^\p{Lu}/u.test(start)) continue; // names begin with a capital
    const found = await look(start);
    if (found.length) return found;
  }
  return [];
}

async function look(start) {
  kinds ??= getJson("schema").then(({ labels }) => labels.map(({ label }) => labelWords(label)));
  const small = start.toLowerCase();
  const known = await kinds.catch(() => []);
  const ofKinds = known.filter((kind) => kind.startsWith(small) && kind !== small);
  const { names } = await getJson(`names?${new URLSearchParams({ start, limit: MOST })}`);
  const whole = names.filter(({ name }) => name.toLowerCase() !== small);
  return [
    ...ofKinds.map((kind) => ({ start, text: kind, about: "kind" })),
    ...whole.map(({ name, labels }) => ({ start, text: name, about: labels.map(labelWords).join(", ") })),
  ].slice(0, MOST);
}

function drawItem({ start, text, about }, at) {
  const data = { start, text };
  return el(
    "li",
    { role: "option", id: `suggestion-${at}`, data, aria: { selected: "false" } },
    nameOf(shorten(text, 80)),
    el("span", { class: "kind" }, about),
  );
}

function walk(event) {
  if (list.hidden) return;
  const items = [...list.children];
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    chosen = (chosen + step + items.length + (chosen < 0 && step < 0 ? 1 : 0)) % items.length;
    for (const [at, item] of items.entries()) item.setAttribute("aria-selected", String(at === chosen));
    field.setAttribute("aria-activedescendant", items[chosen].id);
  } else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0) {
    event.preventDefault();
    take(items[chosen]);
  } else if (event.key === "Escape") {
    event.preventDefault();
    close();
  }
}

/** Put a suggestion in the place of what was typed of it. */
function take({ dataset: { start, text } }) {
  const caret = field.selectionStart;
  const words = start.split(" ").map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const typed = field.value.slice(0, caret).replace(new RegExp(`${words.join("\\s+")}$`), text);
  field.value = typed + field.value.slice(caret);
  field.setSelectionRange(typed.length, typed.length);
  close();
}
