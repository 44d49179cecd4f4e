/** The facts as a list that the keyboard walks, and beside it the picture that mirrors it. */

import { button, drawRelation, el, nameOf } from "./dom.js";
import { Picture } from "./picture.js";
import { cutIntoParts, findTopics, readFacts } from "./graph.js";
import { TextAround, drawPassage } from "./passages.js";
import { many } from "./words.js";

export function drawFacts(answer) {
  const facts = readFacts(answer);
  if (!facts.length) return null;
  return new FactView(facts, answer).element;
}

class FactView {
  constructor(facts, answer) {
    this.answer = answer;
    this.parts = cutIntoParts(facts);
    this.left = facts.length;
    this.items = [];
    this.list = el("ul", {
      class: "facts",
      role: "listbox",
      aria: { label: "Facts that the answer stands on" },
      onkeydown: (event) => this.walk(event),
    });
    const roles = { topics: findTopics(facts, answer), answers: answer.answers.map(({ id }) => id) };
    this.picture = new Picture(roles, (index) => this.choose(index, { focus: false }));
    this.more = button("", () => this.showMore());
    this.around = new TextAround();
    this.passages = facts.map(({ passage }) => passage);
    const sums = (answer.summaries ?? []).map((text) => el("p", {}, nameOf(text, "said")));
    const head = this.drawHead(facts);
    this.element = el("section", { class: "evidence" }, head, ...sums, this.drawBody());
    this.showPart();
  }

  drawHead(facts) {
    const toggle = button("Picture", () => this.togglePicture(), {
      id: "toggle-picture",
      class: "quiet",
      aria: { pressed: "true", keyshortcuts: "g" },
    });
    this.toggle = toggle;
    return el("div", { class: "head" }, el("h3", {}, this.title(facts)), toggle);
  }

  /** How many facts there are, and how many are shown where that is not all. */
  title(facts) {
    const { facts_total: total, paths = [] } = this.answer;
    if (!total) return many(facts.length, "fact");
    return `${paths.length.toLocaleString("en")} of ${many(total, "fact")}`;
  }

  drawBody() {
    const listed = el("div", {}, this.list, this.more, this.around.element);
    return el("div", { class: "beside" }, listed, this.picture.element);
  }

  /** Show the next part of the facts; the picture grows with the list. */
  showPart() {
    const part = this.parts.shift() ?? [];
    const first = this.items.length;
    for (const fact of part) this.items.push(this.drawFact(fact, this.items.length));
    this.list.append(...this.items.slice(first));
    this.left -= part.length;
    this.more.textContent = `Show more (${many(this.left, "fact")} left)`;
    this.more.hidden = this.left === 0;
    this.picture.add(part, first);
    if (first === 0) this.items[0].tabIndex = 0;
    return first;
  }

  showMore() {
    this.choose(this.showPart());
  }

  drawFact(fact, index) {
    return el(
      "li",
      {
        role: "option",
        tabIndex: -1,
        class: fact.passage ? "passage" : "",
        title: fact.sentence,
        aria: { selected: "false" },
        onclick: () => this.choose(index),
        onfocus: () => this.choose(index, { focus: false }),
      },
      fact.passage ? drawPassage(fact) : drawStatement(fact),
    );
  }

  walk(event) {
    const here = this.items.indexOf(document.activeElement);
    const last = this.items.length - 1;
    const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(last, next)));
  }

  /** Make one fact the chosen one, in the list and in the picture. */
  choose(index, { focus = true } = {}) {
    for (const [at, item] of this.items.entries()) {
      item.tabIndex = at === index ? 0 : -1;
      item.setAttribute("aria-selected", String(at === index));
    }
    this.picture.point(index);
    this.around.choose(this.passages[index]);
    if (focus) this.items[index].focus();
    else this.items[index].scrollIntoView({ block: "nearest" });
  }

  togglePicture() {
    const hidden = (this.picture.element.hidden = !this.picture.element.hidden);
    this.toggle.setAttribute("aria-pressed", String(!hidden));
    if (!hidden) this.picture.fit();
  }
}

function drawStatement({ head, relation, tail }) {
  const end = nameOf(tail.name, tail.isValue ? "value" : "name");
  return [nameOf(head.name), " ", drawRelation(relation), " ", end];
}
